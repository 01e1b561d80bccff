import { afterEach, expect, test, vi } from 'vitest';
import { dayAfter, rememberZone, today } from '../../text/deskDay';
import { presetOf, presets } from './presets';

afterEach(() => void vi.useRealTimers());

const daysOf = (day: string) =>
  Object.fromEntries(presets(day).map(({ name, from, to }) => [name, `${from} ${to}`]));

test('the presets of a Tuesday', () => {
  expect(daysOf('2026-11-17')).toEqual({
    Today: '2026-11-17 2026-11-17',
    Yesterday: '2026-11-16 2026-11-16',
    'This week': '2026-11-16 2026-11-17',
    'Last 7 days': '2026-11-11 2026-11-17',
    'This month': '2026-11-01 2026-11-17',
    'Last month': '2026-10-01 2026-10-31',
  });
});

test.each([
  // On a Sunday the week began six days ago.
  ['2026-11-15', 'This week', '2026-11-09 2026-11-15'],
  ['2026-11-16', 'This week', '2026-11-16 2026-11-16'],
  ['2026-01-01', 'Yesterday', '2025-12-31 2025-12-31'],
  ['2026-01-01', 'Last month', '2025-12-01 2025-12-31'],
  ['2028-03-31', 'Last month', '2028-02-01 2028-02-29'],
  ['2028-03-01', 'Last 7 days', '2028-02-24 2028-03-01'],
])('on %s, %s is %s', (day, name, days) => {
  expect(daysOf(day)[name]).toBe(days);
});

test('a period has the name of the first preset that it equals', () => {
  expect(presetOf('2026-11-16', '2026-11-16', '2026-11-16')?.name).toBe('Today');
  expect(presetOf('2026-11-16', undefined, '2026-11-16')).toBeUndefined();
  expect(presetOf('2026-11-14', '2026-11-16', '2026-11-16')).toBeUndefined();
});

test('today is the day at the desk, wherever the browser is', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T18:45:00Z') });
  expect(today()).toBe('2026-11-16');
  rememberZone('America/New_York');
  expect(today()).toBe('2026-11-15');
  rememberZone('Mars/Olympus');
  expect(today()).toBe('2026-11-15');
});

test('a day later is a calendar day later', () => {
  expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect(dayAfter('2026-03-29', 1)).toBe('2026-03-30');
});
