import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '../../api/session';
import { claimOf, serverMoves } from '../../testing/claimServer';
import {
  countOf,
  listenToCalls,
  moved,
  openLive,
  pause,
  serverSendsEvents,
} from '../../testing/liveServer';
import { openApp, rowOf } from '../../testing/openApp';

test('the rows are read first, and everything else once, when the connection is established', async () => {
  serverMoves([claimOf(1)]);
  const live = serverSendsEvents();
  const calls = listenToCalls();
  const { queryClient } = openApp('/Withdraw');
  await waitFor(() => expect(live.marks).toHaveLength(1));
  // The screen's code may arrive after the connection.
  await waitFor(() => expect([...calls].sort()).toEqual(['/api/claims/all', '/api/live']));
  live.sendEvent('hello', { after: 1, openClaims: [] });
  await screen.findByRole('button', { name: /^Pending 1/ });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(calls.slice(2).sort()).toEqual([
    '/api/batches',
    // A change between the first read and the connection is not missed.
    '/api/claims/all',
    '/api/claims/totals',
    '/api/policy',
  ]);
  live.sendEvent('reset', {});
  await waitFor(() => expect(calls.filter((call) => call === '/api/policy')).toHaveLength(2));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(calls.slice(6).sort()).toEqual(calls.slice(2, 6).sort());
});

test('batches are read only if the greeting says that one is unfinished', async () => {
  serverMoves([claimOf(1)]);
  const live = serverSendsEvents();
  const calls = listenToCalls();
  openApp('/Withdraw');
  await waitFor(() => expect(live.marks).toHaveLength(1));
  live.sendEvent('hello', { after: 1, openClaims: [], hasUnfinishedBatch: false });
  await screen.findByRole('button', { name: /^Pending 1/ });
  await waitFor(() => expect(countOf(calls, '/api/policy')).toBe(1));
  expect(countOf(calls, '/api/batches')).toBe(0);
  live.sendEvent('hello', { after: 1, openClaims: [], hasUnfinishedBatch: true });
  await waitFor(() => expect(countOf(calls, '/api/batches')).toBe(1));
});

test('without a connection the rest is read after a second, and again when there is one', async () => {
  serverMoves([claimOf(1)]);
  const live = serverSendsEvents();
  const calls = listenToCalls();
  openApp('/Withdraw');
  await screen.findByRole('button', { name: /^Pending 1/ });
  expect(countOf(calls, '/api/claims/totals')).toBe(1);
  live.sendEvent('hello', { after: 1, openClaims: [] });
  await waitFor(() => expect(countOf(calls, '/api/claims/totals')).toBe(2));
});

test('the own name comes from the login; without it, it is read at the first change', async () => {
  startSession('stored', 'asha');
  const state = serverMoves([claimOf(1)]);
  const { live } = await openLive('/Withdraw');
  const calls = listenToCalls();
  const move = async (version: number, status: 'Accepted' | 'Paid') => {
    state.moveElsewhere('c1', status);
    live.sendEvent('change', moved('c1', status, version, 'asha'));
    await (await rowOf('Client 1')).findByText(status);
    await pause(200);
  };
  await move(1, 'Accepted');
  expect(countOf(calls, '/api/admin/me')).toBe(0);
  // As after an update from a version that stored only the token.
  localStorage.removeItem('token-owner');
  await move(2, 'Paid');
  expect(countOf(calls, '/api/admin/me')).toBe(1);
  expect(screen.queryByText(/just now/)).toBeNull();
});
