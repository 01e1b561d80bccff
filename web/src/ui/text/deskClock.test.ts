import { expect, test } from 'vitest';
import { clockAt, momentOf } from './deskClock';
import { rememberZone } from './deskDay';

test.each([
  ['Asia/Kolkata', '2026-11-15T18:29:59.999Z'],
  ['Europe/London', '2026-11-15T23:59:59.999Z'],
  ['America/Los_Angeles', '2026-11-16T07:59:59.999Z'],
])('in %s a day ends at %s', (zone, end) => {
  rememberZone(zone);
  expect(momentOf('2026-11-15T23:59:59.999')).toBe(end);
});

test('on a day on which the clock changes, the end is that of the new offset', () => {
  rememberZone('Europe/London');
  expect(momentOf('2026-10-25T23:59')).toBe('2026-10-25T23:59:00.000Z');
  expect(momentOf('2026-10-25T00:30')).toBe('2026-10-24T23:30:00.000Z');
});

test('the clock of the desk at a moment', () => {
  expect(clockAt(new Date('2026-11-15T20:00:00Z'))).toBe('2026-11-16T01:30:00');
});
