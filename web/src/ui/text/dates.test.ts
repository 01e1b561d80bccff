import { expect, test } from 'vitest';
import { formatDate, formatDay, formatLocalDay, formatMoment } from './dates';
import { rememberZone } from './deskDay';

const at = '2026-11-05T20:22:00Z';

test('the Date column of the tables uses the format of the browser', () => {
  expect(formatLocalDay(at)).toBe(new Date(at).toLocaleDateString());
});

test('in en-GB the Date column is dd/mm/yyyy with leading zeros', () => {
  expect(formatLocalDay('2026-11-05T12:00:00Z', 'en-GB')).toBe('05/11/2026');
});

test('everywhere else days and times have one format, in the time zone of the desk', () => {
  expect(formatDay(at)).toBe('6 Nov 2026');
  expect(formatMoment(at)).toBe('6 Nov 2026, 01:52');
  rememberZone('Europe/London');
  expect(formatDay(at)).toBe('5 Nov 2026');
  expect(formatMoment(at)).toBe('5 Nov 2026, 20:22');
});

test('a date without a time is the same in every time zone', () => {
  rememberZone('America/Los_Angeles');
  expect(formatDate('2026-11-05')).toBe('5 Nov 2026');
});

test('an invalid date is shown unchanged', () => {
  expect(formatDay('soon')).toBe('soon');
});
