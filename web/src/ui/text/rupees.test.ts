import { expect, test } from 'vitest';
import { countOf, formatRupees, sumRupees } from './rupees';

test.each([
  [7967.56, '₹7,967.56'],
  [849391.76, '₹8,49,391.76'],
  [849391122.7, '₹84,93,91,122.70'],
  [0, '₹0.00'],
  [5, '₹5.00'],
])('%d rupees are written %s', (amount, text) => {
  expect(formatRupees(amount)).toBe(text);
});

test('counts use Indian digit grouping and the singular for one', () => {
  expect(countOf(1, 'claim')).toBe('1 claim');
  expect(countOf(0, 'claim')).toBe('0 claims');
  expect(countOf(100000, 'claim')).toBe('1,00,000 claims');
});

test('a sum of many fractions is exact to the paisa', () => {
  const rows = Array.from({ length: 100_000 }, () => 0.1);
  expect(sumRupees(rows, (amount) => amount)).toBe(10_000);
});
