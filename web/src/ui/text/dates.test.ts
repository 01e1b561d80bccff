import { expect, test } from 'vitest';
import { formatDay, formatMoment } from './dates';

const at = '2026-11-05T12:22:00Z';

test('without a locale, a date uses the format of the browser', () => {
  expect(formatDay(at)).toBe(new Date(at).toLocaleDateString());
});

test('in en-GB a date is dd/mm/yyyy with leading zeros', () => {
  expect(formatDay(at, 'en-GB')).toBe('05/11/2026');
});

test('a date and time includes the full year and the minutes', () => {
  expect(formatMoment(at)).toMatch(/2026/);
  expect(formatMoment(at)).toMatch(/:22/);
});

test('an invalid date is shown unchanged', () => {
  expect(formatDay('soon')).toBe('soon');
});
