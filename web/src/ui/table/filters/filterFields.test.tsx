import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { FilterFields } from './FilterFields';
import type { Filter, View } from './view';

const filters: Filter[] = [
  { name: 'from', kind: 'day', label: 'From day', param: 'from' },
  { name: 'to', kind: 'day', label: 'To day', param: 'to', isLastDay: true, endOf: 'from' },
  { name: 'min', kind: 'amount', label: 'Amount from ₹', param: 'minAmount' },
  { name: 'max', kind: 'amount', label: 'Amount to ₹', param: 'maxAmount', endOf: 'min' },
];
const schema = { filters, sorts: [], defaultSort: '', columns: [] };

function openFilters(chosen: Record<string, string> = {}) {
  const now = { filters: chosen };
  function Panel() {
    const [view, setView] = useState<View>({ q: '', sort: '', filters: chosen, hidden: [] });
    now.filters = view.filters;
    return (
      <FilterFields
        filters={filters}
        columns={[]}
        control={{ schema, view, change: (part) => setView({ ...view, ...part }) }}
        close={() => undefined}
        choices={undefined}
        hasSort={false}
      />
    );
  }
  render(<Panel />);
  return { user: userEvent.setup(), filtersNow: () => now.filters };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const problemOf = (label: string) => {
  const id = field(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : undefined;
};
const wanted = 'Type an amount like 1500 or 1500.50, with at most 11 digits before the point.';

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
  const day = field('From day');
  await user.click(day);
  emptyOnePart(day);
  expect(filtersNow()).toEqual({ from: '2026-11-01' });
  expect(problemOf('From day')).toBeUndefined();
  await user.tab();
  const left = 'Choose a day between 1900 and 2099. Until then, the filter stays at 2026-11-01.';
  expect(problemOf('From day')).toBe(left);
  vi.restoreAllMocks();
  fireEvent.change(day, { target: { value: '2026-11-15' } });
  expect(filtersNow()).toEqual({ from: '2026-11-15' });
  expect(problemOf('From day')).toBeUndefined();
});

test('a date that is fully cleared, or reset by Clear, no longer filters', async () => {
  const { user, filtersNow } = openFilters({ from: '2026-11-01', to: '2026-11-15' });
  fireEvent.change(field('From day'), { target: { value: '' } });
  expect(filtersNow()).toEqual({ to: '2026-11-15' });
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
  expect(field('To day').value).toBe('');
});

test('an invalid field shows which value still filters the list', async () => {
  const { user, filtersNow } = openFilters({ min: '500' });
  await user.clear(field('Amount from ₹'));
  await user.type(field('Amount from ₹'), 'x{Enter}');
  expect(problemOf('Amount from ₹')).toBe(`${wanted} Until then, the filter stays at 500.`);
  expect(filtersNow()).toEqual({ min: '500' });
  await user.clear(field('Amount from ₹'));
  await user.tab();
  expect(filtersNow()).toEqual({});
});

test.each([
  [{ min: '500', max: '100' }, 'Amount to ₹', '“Amount from ₹” is above “Amount to ₹”'],
  [{ min: '1000', max: '999' }, 'Amount to ₹', '“Amount from ₹” is above “Amount to ₹”'],
  [{ from: '2026-11-15', to: '2026-11-14' }, 'To day', '“From day” is after “To day”'],
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
