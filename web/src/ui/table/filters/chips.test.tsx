import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openApp } from '../../../testing/openApp';
import { Chips } from './Chips';
import { activeFilters } from './filterTexts';
import type { Filter, View } from './view';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-17T12:00:00Z') }),
);
afterEach(() => void vi.useRealTimers());

const filters: Filter[] = [
  { name: 'odd', kind: 'flag', label: 'Needs review', param: 'odd', values: ['only'] },
  { name: 'who', kind: 'choice', label: 'Who', param: 'actor' },
  { name: 'from', kind: 'day', label: 'Requested from', param: 'from' },
  { name: 'to', kind: 'day', label: 'Requested to', param: 'to', endOf: 'from' },
  { name: 'movedFrom', kind: 'day', label: 'Status changed from', param: 'movedFrom' },
  {
    name: 'movedTo',
    kind: 'day',
    label: 'Status changed to',
    param: 'movedTo',
    endOf: 'movedFrom',
  },
  { name: 'min', kind: 'amount', label: 'Amount from ₹', param: 'minAmount' },
  { name: 'max', kind: 'amount', label: 'Amount to ₹', param: 'maxAmount', endOf: 'min' },
];
const viewOf = (chosen: Record<string, string>): View => ({
  q: '',
  sort: '',
  filters: chosen,
  hidden: [],
});

test.each([
  [{ odd: 'only' }, 'Needs review'],
  [{ who: 'ravi' }, 'Who: RAVI'],
  [{ from: '2026-11-17', to: '2026-11-17' }, 'Requested: Today'],
  [{ from: '2026-11-16', to: '2026-11-17' }, 'Requested: This week'],
  [{ from: '2026-10-01', to: '2026-10-31' }, 'Requested: Last month'],
  [{ from: '2026-11-03', to: '2026-11-03' }, 'Requested: 3 Nov 2026'],
  [{ from: '2026-11-03', to: '2026-11-05' }, 'Requested: 3 Nov 2026 – 5 Nov 2026'],
  [{ from: '2026-11-03' }, 'Requested: from 3 Nov 2026'],
  [{ to: '2026-11-03' }, 'Requested: to 3 Nov 2026'],
  [{ movedFrom: '2026-11-11', movedTo: '2026-11-17' }, 'Status changed: Last 7 days'],
  [{ min: '50000' }, 'Amount: from ₹50,000'],
  [{ max: '1.5' }, 'Amount: to ₹1.50'],
  [{ min: '500', max: '1000' }, 'Amount: ₹500 – ₹1,000'],
])('%j reads “%s”', (chosen, text) => {
  const texts = { who: (name: string) => name.toUpperCase() };
  const found = activeFilters(filters, viewOf(chosen as Record<string, string>), texts);
  expect(found.map((one) => one.text)).toEqual([text]);
});

test('a chip removes both ends of its range, and the focus goes to the next chip', async () => {
  const chosen = { from: '2026-11-17', to: '2026-11-17', min: '5' };
  const change = vi.fn();
  const view = viewOf(chosen);
  render(
    <Chips active={activeFilters(filters, view)} control={{ view, change }} kept={undefined} />,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Remove filter Requested: Today' }));
  expect(change).toHaveBeenCalledWith({ filters: { min: '5' } });
  expect(document.activeElement).toBe(
    screen.getByRole('button', { name: 'Remove filter Amount: from ₹5' }),
  );
});

test('every list has chips: they follow the URL, and the last one gives the focus to the button', async () => {
  const { user } = openApp(
    '/Withdraw?status=Pending&min=5&movedFrom=2026-11-17&movedTo=2026-11-17',
  );
  await user.click(
    await screen.findByRole('button', { name: 'Remove filter Status changed: Today' }),
  );
  expect(window.location.search).toBe('?status=Pending&min=5');
  await user.click(screen.getByRole('button', { name: 'Remove filter Amount: from ₹5' }));
  expect(window.location.search).toBe('?status=Pending');
  expect(screen.queryByRole('group', { name: 'Active filters' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filters' }));
});

test('all filters are cleared together, except the chosen status', async () => {
  const { user } = openApp('/Withdraw?status=Pending&min=5&from=2026-11-17&q=a');
  const chips = await screen.findByRole('group', { name: 'Active filters' });
  const clear = [...chips.querySelectorAll('button')].at(-1);
  expect(clear?.textContent).toBe('Clear filters');
  await user.click(clear as HTMLElement);
  expect(window.location.search).toBe('?status=Pending');
});
