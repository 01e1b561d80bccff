import { screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../testing/claimServer';
import { countOf, listenToCalls, moved, openLive, pause } from '../../testing/liveServer';
import { openRow, rowOf } from '../../testing/openApp';
import { qrCodes, swapped, viewerPermissions } from '../../testing/sampleData';
import { server } from '../../testing/server';

test('a move by another admin is shown in its row and announced to screen readers', async () => {
  const state = serverMoves([claimOf(1), claimOf(2), claimOf(3)]);
  const { live } = await openLive('/Withdraw');
  const calls = listenToCalls();
  state.moveElsewhere('c2', 'Accepted');
  live.sendEvent('change', moved('c2', 'Accepted', 1));
  const row = await rowOf('Client 2');
  await row.findByText('Accepted');
  expect(await screen.findByText('Client 2: Accepted by ravi just now')).toBeTruthy();
  const element = screen.getByText('Client 2').closest('[role="row"]');
  // It is marked with the next frame, which may come after the announcement.
  await waitFor(() => expect(element?.getAttribute('title')).toBe('Accepted by ravi just now'));
  expect(element?.hasAttribute('data-news')).toBe(true);
  expect(countOf(calls, '/api/claims/c2')).toBe(1);
  expect(countOf(calls, '/api/claims/all')).toBe(0);
});

test('an own move is not announced, even if its event arrives before the response', async () => {
  serverMoves([claimOf(1), claimOf(2)]);
  const { live, user } = await openLive('/Withdraw');
  const calls = listenToCalls();
  server.use(
    http.put('*/api/claims/:id/status', async () => {
      live.sendEvent('change', moved('c1', 'Accepted', 1, 'asha'));
      // Longer than changes are collected for; then the next handler answers.
      await delay(600);
      return undefined;
    }),
  );
  const row = await rowOf('Client 1');
  await user.click(row.getByRole('button', { name: /^Accept/ }));
  await row.findByText('Accepted');
  live.sendEvent('change', moved('c1', 'Accepted', 1, 'asha'));
  await pause(700);
  expect(countOf(calls, '/api/claims/c1')).toBe(0);
  expect(screen.queryByText(/just now/)).toBeNull();
  expect(document.querySelector('[data-news]')).toBeNull();
});

test('a row that no longer matches the filters keeps its place and shows its new status', async () => {
  const state = serverMoves([claimOf(1), claimOf(2), claimOf(3)]);
  const { live } = await openLive('/Withdraw?status=Pending');
  state.moveElsewhere('c1', 'On hold');
  live.sendEvent('change', moved('c1', 'On hold', 1));
  await (await rowOf('Client 1')).findByText('On hold');
  const rows = [...document.querySelectorAll('[data-row-id]')];
  expect(rows.map((row) => row.getAttribute('data-row-id'))).toEqual(['c1', 'c2', 'c3']);
});

test.each(['/Withdraw', '/Withdraw?status=Pending'])(
  'after many changes at once the pages are read, and single claims only if a page lacks them: %s',
  async (path) => {
    const state = serverMoves(Array.from({ length: 30 }, (_, index) => claimOf(index + 1)));
    const { live } = await openLive(path);
    const calls = listenToCalls();
    for (let number = 1; number <= 25; number++) {
      state.moveElsewhere(`c${number}`, 'Accepted');
      live.sendEvent('change', moved(`c${number}`, 'Accepted', 1));
    }
    await (await rowOf('Client 7')).findByText('Accepted');
    await (await rowOf('Client 25')).findByText('Accepted');
    expect(countOf(calls, '/api/claims/all')).toBe(1);
    const singly = calls.filter((call) => /claims\/c\d+$/.test(call));
    expect(singly).toHaveLength(path.includes('status') ? 25 : 0);
    expect(await screen.findByText(/claims were changed by ravi just now/)).toBeTruthy();
  },
);

test('a claim that could not be read is requested again', async () => {
  const state = serverMoves([claimOf(1)]);
  const { live } = await openLive('/Withdraw');
  state.moveElsewhere('c1', 'Accepted');
  server.use(http.get('*/api/claims/c1', () => HttpResponse.error(), { once: true }));
  live.sendEvent('change', moved('c1', 'Accepted', 1));
  await (await rowOf('Client 1')).findByText('Accepted');
});

test('counts are refetched at most once a second, and new rows wait until the admin shows them', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { live } = await openLive('/Withdraw');
  const calls = listenToCalls();
  for (let time = 0; time < 10; time++) live.sendEvent('counts', {});
  await pause(600);
  expect(countOf(calls, '/api/claims/totals')).toBe(1);
  // Nothing was added, so the rows need not be refetched.
  expect(countOf(calls, '/api/claims/all')).toBe(0);
  await waitFor(() => expect(countOf(calls, '/api/claims/totals')).toBe(2));
  state.claims = [claimOf(3), ...state.claims];
  live.sendEvent('counts', {});
  await screen.findByRole('button', { name: '1 new claim above' });
  expect(await screen.findByRole('button', { name: /^Pending 3/ })).toBeTruthy();
  expect(screen.queryByText('Client 3')).toBeNull();
});

test('after a gap all rows are refetched, including those that no longer match the filters', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { live } = await openLive('/Withdraw?status=Pending');
  state.moveElsewhere('c2', 'Rejected');
  live.sendEvent('reset', {});
  await (await rowOf('Client 2')).findByText('Rejected');
  expect(screen.queryByText(/just now/)).toBeNull();
});

test('a row shows which admin has its claim open, until that admin closes it', async () => {
  serverMoves([claimOf(1), claimOf(2)]);
  const { live } = await openLive('/Withdraw');
  live.sendEvent('open', [{ claimId: 'c2', by: 'ravi', since: '2026-11-15T09:00:00Z' }]);
  const row = await rowOf('Client 2');
  expect(await row.findByTitle('ravi has this open')).toBeTruthy();
  expect(screen.getAllByTitle(/this open/)).toHaveLength(1);
  live.sendEvent('open', []);
  await waitFor(() => expect(screen.queryByTitle(/this open/)).toBeNull());
});

test('the claim that is open here is reported to the server, until it is closed', async () => {
  serverMoves([claimOf(1)]);
  const { live, user } = await openLive('/Withdraw');
  await openRow(user, 'Client 1');
  await waitFor(() => expect(live.said.at(-1)?.claimId).toBe('c1'));
  live.sendEvent('open', [{ claimId: 'c1', by: 'ravi', since: '2026-11-15T09:00:00Z' }]);
  expect(
    await screen.findByText('ravi has this open', { ignore: '.visually-hidden' }),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(live.said.at(-1)?.claimId).toBeNull());
});

test('a code displayed by another admin is announced on every screen with its address, an own one is not', async () => {
  const { live } = await openLive('/reg');
  const change = (by: string, subjectId = 'q2', verb = 'qr.status_changed') => ({
    verb,
    subjectId,
    by,
    at: '2026-11-15T09:00:00Z',
    status: 'display',
    version: null,
  });
  live.sendEvent('change', change('asha'));
  live.sendEvent('change', change('command', 'q2', 'qr.read'));
  live.sendEvent('change', change('ravi'));
  expect(await screen.findByText('ravi put Branch two (branch@okaxis) on display.')).toBeTruthy();
  // A code added since then. The typed address is not the one that it pays.
  server.use(http.get('*/api/qr', () => HttpResponse.json([swapped, ...qrCodes])));
  live.sendEvent('change', change('ravi', 'q3'));
  const notice =
    'ravi put Till 3 (till@okaxis) on display. This code pays mallory@okbank, Mallory Stores.';
  expect(await screen.findByText(notice)).toBeTruthy();
  expect(screen.queryByText(/^asha|^command/)).toBeNull();
});

test('a request to display stays on every screen, with a link to it, until it is answered', async () => {
  const { live, user } = await openLive('/reg');
  const change = (verb: string, by: string) => ({
    verb,
    subjectId: 'q2',
    by,
    at: '2026-11-15T09:00:00Z',
    status: null,
    version: null,
  });
  const asked = 'ravi asked to display Branch two (branch@okaxis). You can approve it.';
  const ask = () => live.sendEvent('change', change('qr.display_requested', 'ravi'));
  ask();
  expect(await screen.findByText(asked)).toBeTruthy();
  live.sendEvent('change', change('qr.display_withdrawn', 'ravi'));
  expect(
    await screen.findByText('ravi cancelled the request to display Branch two (branch@okaxis).'),
  ).toBeTruthy();
  expect(screen.queryByText(asked)).toBeNull();

  ask();
  await screen.findByText(asked);
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(asked)).toBeNull();

  ask();
  await screen.findByText(asked);
  // MoveResponse by this admin, in this tab or another one.
  live.sendEvent('change', change('qr.status_changed', 'asha'));
  await waitFor(() => expect(screen.queryByText(asked)).toBeNull());

  ask();
  await user.click(await screen.findByRole('link', { name: 'Open QR Table' }));
  expect(await screen.findByRole('heading', { name: 'QR Code Upload' })).toBeTruthy();
  expect(screen.queryByText(asked)).toBeNull();
});

const request = {
  verb: 'qr.display_requested',
  subjectId: 'q2',
  by: 'ravi',
  at: '2026-11-15T09:00:00Z',
  status: null,
  version: null,
};

test('a request to display does not appear for an admin who cannot approve it', async () => {
  const { live } = await openLive('/reg', { permissions: viewerPermissions });
  live.sendEvent('change', request);
  live.sendEvent('change', { ...request, verb: 'qr.display_withdrawn', subjectId: 'q1' });
  await screen.findByText(/^ravi cancelled/);
  expect(screen.queryByText(/asked to display/)).toBeNull();
});

test('on the QR screen a request to display is announced only: the table shows it', async () => {
  const { live } = await openLive('/QR');
  live.sendEvent('change', request);
  const announced = await screen.findByText(/^ravi asked to display Branch two/);
  expect(announced.closest('.visually-hidden')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Open QR Table' })).toBeNull();
});

test('a deleted code is announced by its name, even on a screen that never loaded the list', async () => {
  const { live } = await openLive('/reg');
  const past = { _id: 'q9', name: 'Old till', upiId: 'old@okaxis' };
  server.use(
    http.get('*/api/qr/history', ({ request }) => {
      const isAsked = new URL(request.url).searchParams.get('qr') === 'q9';
      return HttpResponse.json({ codes: isAsked ? [past] : [], events: [], next: null });
    }),
  );
  live.sendEvent('change', {
    verb: 'qr.deleted',
    subjectId: 'q9',
    by: 'ravi',
    at: '2026-11-15T09:00:00Z',
    status: null,
    version: null,
  });
  expect(await screen.findByText('ravi deleted Old till.')).toBeTruthy();
});

test('requests that failed while the connection was down are repeated when it is back', async () => {
  serverMoves([claimOf(1)]);
  const unreachable = http.get('*/api/claims/all', () => HttpResponse.error());
  const { live, user } = await openLive('/Withdraw');
  server.use(unreachable);
  await user.type(screen.getByRole('searchbox'), 'Client');
  await screen.findByText('The claims could not be loaded.', undefined, { timeout: 4_000 });
  serverMoves([claimOf(1)]);
  live.sendEvent('hello', { after: 1, openClaims: [] });
  expect(await screen.findByText('Client 1')).toBeTruthy();
  expect(screen.queryByText('The claims could not be loaded.')).toBeNull();
});

test('no connection stays open after a logout', async () => {
  const { live, user } = await openLive('/reg');
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByLabelText('Username');
  await pause(1_500);
  expect(live.marks).toHaveLength(1);
});
