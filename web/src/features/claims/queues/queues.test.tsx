import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp } from '../../../testing/openApp';
import { nextInQueue, queueOf, today, withQueue } from './claimQueues';
import { ageOf } from './QueueViews';

afterEach(() => void vi.useRealTimers());

test('each queue shows its count, its sum and the age of its oldest claim', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-09-24T12:00:00Z') });
  serverMoves([claimOf(1), claimOf(2), claimOf(3, 'Accepted'), claimOf(4, 'On hold')]);
  const { user } = openApp('/Withdraw');
  const queues = within(await screen.findByRole('group', { name: 'Queues' }));
  const pending = await queues.findByRole('button', {
    name: /Pending 2 .*₹15,935\.12.*oldest 3 days/,
  });
  expect(queues.getAllByRole('button').map((queue) => queue.textContent?.split(' ')[0])).toEqual([
    'Pending',
    'Accepted',
    'On',
    'Paid',
  ]);
  await user.click(pending);
  expect(window.location.search).toBe('?status=Pending');
  expect(pending.getAttribute('aria-pressed')).toBe('true');
});

test('Paid today filters by Paid and by today; All removes both filters', async () => {
  serverMoves([claimOf(1)]);
  const { user } = openApp('/Withdraw?min=5');
  await user.click(await screen.findByRole('button', { name: /^Paid today/ }));
  expect(window.location.search).toBe(`?status=Paid&movedFrom=${today()}&min=5`);
  const paid = await screen.findByRole('button', { name: /^Paid \d/ });
  expect(paid.getAttribute('aria-pressed')).toBe('false');
  await user.click(screen.getByRole('button', { name: /^All/ }));
  expect(window.location.search).toBe('?min=5');
});

test.each([
  [{ status: 'Pending' }, 'Pending'],
  [{ status: 'Paid' }, undefined],
  [{ status: 'Paid', movedFrom: '2026-11-15' }, 'Paid today'],
  [{ status: 'Paid', movedFrom: '2026-11-14' }, undefined],
  [{ status: 'Paid', movedFrom: '2026-11-15', movedTo: '2026-11-15' }, undefined],
  [{}, undefined],
])('the filters %j show the queue %s', (filters, queue) => {
  expect(queueOf(filters as Record<string, string>, '2026-11-15')).toBe(queue);
});

test('another queue keeps the other filters', () => {
  const filters = { status: 'Paid', movedFrom: '2026-11-15', movedTo: '2026-11-16', min: '5' };
  expect(withQueue(filters, 'On hold').filters).toEqual({ status: 'On hold', min: '5' });
});

test.each([
  ['2026-11-15T11:59:30Z', '0 min'],
  ['2026-11-15T11:15:00Z', '45 min'],
  ['2026-11-15T09:30:00Z', '2 h'],
  ['2026-11-14T11:00:00Z', '1 day'],
  ['2026-11-12T11:00:00Z', '3 days'],
])('%s is %s old', (at, age) => {
  expect(ageOf(at, Date.parse('2026-11-15T12:00:00Z'))).toBe(age);
});

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
