import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Popover } from '../../../popover/Popover';
import { presets } from '../presets';
import type { Filter, View } from '../view';
import FilterFields from './FilterFields';

const filters: Filter[] = [
  { name: 'from', kind: 'day', label: 'Requested from', param: 'from' },
  { name: 'to', kind: 'day', label: 'Requested to', param: 'to', endOf: 'from' },
  { name: 'min', kind: 'amount', label: 'Amount from ₹', param: 'minAmount' },
  { name: 'max', kind: 'amount', label: 'Amount to ₹', param: 'maxAmount', endOf: 'min' },
];
const schema = { filters, sorts: [], defaultSort: '', columns: [] };

function openFilters(chosen: Record<string, string> = {}) {
  const now = { filters: chosen };
  const changes: string[] = [];
  function Panel() {
    const [view, setView] = useState<View>({ q: '', sort: '', filters: chosen, hidden: [] });
    now.filters = view.filters;
    const change = (part: Partial<View>, how = 'choose') => {
      changes.push(how);
      setView((old) => ({ ...old, ...part }));
    };
    return (
      <FilterFields
        filters={filters}
        columns={[]}
        control={{ schema, view, change }}
        close={() => undefined}
        guard={{ current: null }}
        choices={undefined}
        hasSort={false}
      />
    );
  }
  render(<Panel />);
  return { user: userEvent.setup(), filtersNow: () => now.filters, changes };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const problemOf = (label: string) => {
  const id = field(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : undefined;
};
const wanted = 'Enter an amount such as 1500.50.';

test.each(['abc', '12.345', '123456789012', '.'])(
  'the invalid amount %s shows a hint at once, stays in the field and does not filter',
  async (typed) => {
    const { user, filtersNow } = openFilters();
    await user.type(field('Amount from ₹'), typed);
    expect(problemOf('Amount from ₹')).toBe(wanted);
    expect(field('Amount from ₹').getAttribute('aria-invalid')).toBe('true');
    await user.tab();
    expect(field('Amount from ₹').value).toBe(typed);
    expect(screen.getByRole('alert').textContent).toBe(wanted);
    expect(filtersNow()).toEqual({});
  },
);

test('an incomplete amount shows no error until the field is left', async () => {
  const { user, filtersNow } = openFilters();
  await user.type(field('Amount from ₹'), '1,500.');
  expect(problemOf('Amount from ₹')).toBeUndefined();
  await user.keyboard('{Enter}');
  expect(problemOf('Amount from ₹')).toBe(wanted);
  await user.keyboard('5{Enter}');
  expect(problemOf('Amount from ₹')).toBeUndefined();
  expect(filtersNow()).toEqual({ min: '1500.5' });
});

test('an amount takes effect while it is typed, after a pause, and stays as typed', async () => {
  const { user, filtersNow, changes } = openFilters();
  await user.type(field('Amount from ₹'), '50,000');
  expect(filtersNow()).toEqual({});
  await waitFor(() => expect(filtersNow()).toEqual({ min: '50000' }));
  expect(changes).toEqual(['type']);
  expect(field('Amount from ₹').value).toBe('50,000');
  await user.tab();
  expect(field('Amount from ₹').value).toBe('50000');
  expect(changes).toEqual(['type']);
});

test('an amount that takes effect later keeps what was chosen in between', async () => {
  const { user, filtersNow } = openFilters();
  await user.type(field('Amount from ₹'), '500');
  fireEvent.change(field('Requested from'), { target: { value: '2026-11-15' } });
  await waitFor(() => expect(filtersNow()).toEqual({ from: '2026-11-15', min: '500' }));
});

test.each(presets().map(({ name }) => name))('the preset %s sets both days', async (name) => {
  const { user, filtersNow } = openFilters({ min: '5', to: '2020-01-01' });
  const { from, to } = presets().find((preset) => preset.name === name) ?? {};
  const preset = screen.getByRole('button', { name });
  await user.click(preset);
  expect(filtersNow()).toEqual({ min: '5', from, to });
  expect(field('Requested from').value).toBe(from);
  // On some days two presets are the same period; the first one is shown as chosen.
  const pressed = screen.getAllByRole('button', { pressed: true });
  expect(pressed).toHaveLength(1);
  await user.click(pressed[0] as HTMLElement);
  expect(filtersNow()).toEqual({ min: '5' });
});

test('a comma can be typed into the middle of an amount', async () => {
  const { user, filtersNow } = openFilters({ min: '1500' });
  const amount = field('Amount from ₹');
  amount.focus();
  amount.setSelectionRange(1, 1);
  await user.keyboard(',2');
  expect(amount.value).toBe('1,2500');
  expect(amount.selectionStart).toBe(3);
  await user.keyboard('{Enter}');
  expect(filtersNow()).toEqual({ min: '12500' });
  expect(amount.value).toBe('12500');
});

/** Simulates clearing one part of a date: the browser reports an empty value and `badInput`. */
function emptyOnePart(day: HTMLInputElement) {
  vi.spyOn(day, 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
  fireEvent.change(day, { target: { value: '' } });
}

test('while a date is incomplete, the previous date still filters', async () => {
  const { user, filtersNow } = openFilters({ from: '2026-11-01' });
  const day = field('Requested from');
  await user.click(day);
  emptyOnePart(day);
  expect(filtersNow()).toEqual({ from: '2026-11-01' });
  expect(problemOf('Requested from')).toBeUndefined();
  await user.tab();
  const left =
    'This date is incomplete. Enter day, month and year. Still filtering from 1 Nov 2026.';
  expect(problemOf('Requested from')).toBe(left);
  vi.restoreAllMocks();
  fireEvent.change(day, { target: { value: '2026-11-15' } });
  expect(filtersNow()).toEqual({ from: '2026-11-15' });
  expect(problemOf('Requested from')).toBeUndefined();
});

test('a date that is fully cleared, or reset by Clear, no longer filters', async () => {
  const { user, filtersNow } = openFilters({ from: '2026-11-01', to: '2026-11-15' });
  fireEvent.change(field('Requested from'), { target: { value: '' } });
  expect(filtersNow()).toEqual({ to: '2026-11-15' });
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(field('Requested to').value).toBe('');
});

test('an invalid field shows which value still filters the list', async () => {
  const { user, filtersNow } = openFilters({ min: '500' });
  // In one step: an empty field would no longer filter after a pause.
  await user.type(field('Amount from ₹'), 'x{Enter}', {
    initialSelectionStart: 0,
    initialSelectionEnd: 3,
  });
  expect(problemOf('Amount from ₹')).toBe(`${wanted} Still filtering from ₹500.`);
  expect(filtersNow()).toEqual({ min: '500' });
  await user.clear(field('Amount from ₹'));
  await user.tab();
  expect(filtersNow()).toEqual({});
});

test.each([
  [{ min: '500', max: '100' }, 'Amount to ₹', '“Amount from ₹” is above “Amount to ₹”'],
  [{ min: '1000', max: '999' }, 'Amount to ₹', '“Amount from ₹” is above “Amount to ₹”'],
  [
    { from: '2026-11-15', to: '2026-11-14' },
    'Requested to',
    '“Requested from” is after “Requested to”',
  ],
])('a range that ends before it begins shows an error: %o', (chosen, label, sentence) => {
  openFilters(chosen as Record<string, string>);
  expect(problemOf(label)).toBe(`${sentence}: nothing can match.`);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test.each([
  [{ min: '999', max: '1000' }],
  [{ min: '100', max: '100.00' }],
  [{ max: '100' }],
  [{ from: '2026-11-15', to: '2026-11-15' }],
])('a valid range shows no error: %o', (chosen) => {
  openFilters(chosen as Record<string, string>);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a panel with an incomplete date stays open once, says so, and closes at the second attempt', async () => {
  const user = userEvent.setup();
  const view: View = { q: '', sort: '', filters: {}, hidden: [] };
  const clicked = vi.fn();
  render(
    <>
      <Popover label="Filters" trigger="Filters">
        {(close, guard) => (
          <FilterFields
            {...{ filters, close, guard }}
            columns={[]}
            control={{ schema, view, change: () => undefined }}
            choices={undefined}
            hasSort={false}
          />
        )}
      </Popover>
      <button type="button" onClick={clicked}>
        Elsewhere
      </button>
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  const day = field('Requested from');
  day.focus();
  emptyOnePart(day);
  await user.keyboard('{Escape}');
  expect(problemOf('Requested from')).toMatch(/^This date is incomplete/);
  await waitFor(() => expect(document.activeElement).toBe(day));
  // Typing again: the next attempt is the first one for what is typed now.
  fireEvent.input(day, { target: { value: '' } });
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(screen.getByRole('dialog')).toBeTruthy();
  expect(clicked).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});
