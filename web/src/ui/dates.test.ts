import { expect, test } from 'vitest';
import { formatDay, formatMoment } from './dates';

const at = '2026-11-05T12:22:00Z';

test('without a locale a day is written as the browser writes it', () => {
  expect(formatDay(at)).toBe(new Date(at).toLocaleDateString());
});

test('in en-GB the day comes first, with zeros', () => {
  expect(formatDay(at, 'en-GB')).toBe('05/11/2026');
});

test('a moment has the full year and the minutes', () => {
  expect(formatMoment(at)).toMatch(/2026/);
  expect(formatMoment(at)).toMatch(/:22/);
});

test('what is no date is shown as it came', () => {
  expect(formatDay('soon')).toBe('soon');
});
