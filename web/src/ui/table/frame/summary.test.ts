import { expect, test } from 'vitest';
import { matchesOf } from './Summary';

test.each([
  [{ count: 14_808, isExact: true }, '14,808 claims'],
  [{ count: 1, isExact: true }, '1 claim'],
  [{ count: 10_000, isExact: false }, 'more than 10,000 claims'],
  // Some groups are fully counted and others are not: their sum is not an exact count.
  [{ count: 14_808, isExact: false }, 'more than 10,000 claims'],
  [{ count: 22_295, isExact: false }, 'more than 20,000 claims'],
  [{ count: 50, isExact: false }, 'more than 50 claims'],
  [{ count: 0, isExact: false }, 'more than 0 claims'],
])('%o is shown as %s', (found, words) => {
  expect(matchesOf(found, 'claim')).toBe(words);
});
