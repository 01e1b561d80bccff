import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { halfDone, serverBatches } from '../../testing/batchServer';
import {
  countOf,
  listenToCalls,
  openLive,
  pause,
  serverSendsEvents,
} from '../../testing/liveServer';
import { openApp } from '../../testing/openApp';

const change = (verb: string, by: string) => ({
  verb,
  subjectId: 'b9',
  by,
  at: '2026-11-15T09:00:00Z',
  status: null,
  version: null,
});

test('a batch that this admin confirms in another tab is looked for here', async () => {
  const state = serverBatches();
  const { live } = await openLive('/reg');
  const { looks } = state;
  state.unfinished = [halfDone];
  live.sendEvent('change', change('batch.confirmed', 'asha'));
  await waitFor(() => expect(state.looks).toBe(looks + 1));
});

test('also if the greeting said that there was none', async () => {
  const state = serverBatches();
  const live = serverSendsEvents();
  openApp('/reg');
  await waitFor(() => expect(live.marks).toHaveLength(1));
  live.sendEvent('hello', { after: 1, openClaims: [], hasUnfinishedBatch: false });
  await pause(300);
  expect(state.looks).toBe(0);
  // Nobody else's batch is shown here.
  live.sendEvent('change', change('batch.confirmed', 'ravi'));
  await pause(300);
  expect(state.looks).toBe(0);
  state.unfinished = [halfDone];
  live.sendEvent('change', change('batch.confirmed', 'asha'));
  await waitFor(() => expect(state.looks).toBe(1));
});

test.each([
  ['purchase.confirmed', '/Data', '/api/purchases/all'],
  ['webhook.added', '/Settings/Webhooks', '/api/webhooks'],
  ['policy.changed', '/Settings', '/api/policy'],
])('%s refreshes what the screen shows', async (verb, path, read) => {
  const { live } = await openLive(path);
  const calls = listenToCalls();
  live.sendEvent('change', change(verb, 'ravi'));
  await waitFor(() => expect(countOf(calls, read)).toBe(1));
  expect(screen.queryByRole('alert')).toBeNull();
});
