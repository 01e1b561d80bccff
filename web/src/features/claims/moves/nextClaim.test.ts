import { expect, test } from 'vitest';
import { claimOf } from '../../../testing/claimServer';
import { nextInQueue } from './nextClaim';

test.each([
  ['the next that waits', 0, 2],
  ['the nearest above, at the end', 4, 2],
])('the work continues at %s', (_, from, next) => {
  const rows = ['Pending', 'Paid', 'Pending', 'Pending', 'Pending'] as const;
  const list = { count: 5, rowAt: (index: number) => claimOf(index, rows[index]) };
  expect(nextInQueue(list, from, 'Pending', (id) => id === 'c3')).toBe(next);
});

test('the focus stays when nothing else is waiting, and moves to a row that is still loading', () => {
  const one = { count: 1, rowAt: () => claimOf(0) };
  expect(nextInQueue(one, 0, 'Pending', () => false)).toBe(0);
  const long = { count: 9, rowAt: (index: number) => (index < 2 ? claimOf(index) : undefined) };
  expect(nextInQueue(long, 1, 'Pending', () => false)).toBe(2);
});
