import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { startSession } from '../../api/session';
import { outcomeOf, serverBatches, sheet } from '../../testing/batchServer';
import { openApp, openedConfirm, pause } from '../../testing/openApp';
import { claims } from '../../testing/sampleData';
import { refusal, server } from '../../testing/server';
import { confirmBatch } from './batchActions';

const problem = { _id: 'c2', username: 'Sneha Sharma', amount: 500, outcome: 'skipped' as const };
const oneLeft = {
  problems: {
    count: 1,
    items: [{ ...problem, why: 'ravi moved it to Paid at 2026-09-22T07:00:00.000Z.' }],
  },
};

async function confirm() {
  const app = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  await app.user.click(screen.getByRole('checkbox', { name: 'Select Rahul Nair' }));
  await app.user.click(await screen.findByRole('button', { name: 'Accept…' }));
  const sheet = await openedConfirm();
  await app.user.click(sheet.getByRole('button', { name: /^Accept 2 claims/ }));
  return app;
}
const batches = () => screen.getByRole('region', { name: 'Batches' });
const allAccepted = () =>
  within(batches()).findByRole('button', { name: 'Dismiss: 2 claims accepted.' });

test('a confirmed batch runs to its end even if a response is lost', async () => {
  const state = serverBatches({}, [outcomeOf(1, 1), 'lost', outcomeOf(2, 0)]);
  await confirm();
  await allAccepted();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(state.ran).toEqual(['b1', 'b1', 'b1']);
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('the rows are refetched at the end of a batch', async () => {
  serverBatches();
  let reads = 0;
  server.use(
    http.get('*/api/claims/all', () => {
      reads += 1;
      return HttpResponse.json(claims.map((claim) => ({ ...claim, status: 'Accepted' })));
    }),
  );
  await confirm();
  await allAccepted();
  await waitFor(() => expect(reads).toBe(2));
});

test('claims that did not move are listed with the reason, and Retry plans them again', async () => {
  const state = serverBatches(oneLeft, [outcomeOf(1, 0, 1)]);
  const { user } = await confirm();
  const dialog = within(await screen.findByRole('dialog', { name: '1 done, 1 not' }));
  expect(dialog.getByText('Sneha Sharma')).toBeTruthy();
  expect(dialog.getByText('₹500.00')).toBeTruthy();
  // In the admin's time zone, not in UTC.
  expect(dialog.getByText(/^ravi moved it to Paid at (?!.*Z\.)/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Retry these…' }));
  expect(await screen.findByRole('alertdialog', { name: 'Accept 2 claims?' })).toBeTruthy();
  expect(state.plans.at(-1)).toEqual({ retryOf: 'b1', except: [] });
});

test('a closed batch continues as a line below every screen, which reopens it', async () => {
  const state = serverBatches({}, [outcomeOf(1, 1)]);
  const { user } = await confirm();
  const dialog = within(await screen.findByRole('dialog', { name: 'Accepting 2 claims' }));
  expect(await dialog.findByText('1 done · 1 left')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  const line = within(batches());
  expect(line.getByRole('progressbar').getAttribute('value')).toBe('1');
  await user.click(line.getByRole('button', { name: 'Show: Accepting 2 claims' }));
  expect(await screen.findByRole('dialog', { name: 'Accepting 2 claims' })).toBeTruthy();
  state.runs = [outcomeOf(2, 0)];
  await allAccepted();
});

test('the browser asks before it leaves the page while a batch runs, and no longer after that', async () => {
  const state = serverBatches({}, [outcomeOf(1, 1)]);
  const isAsked = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  await confirm();
  const dialog = within(await screen.findByRole('dialog', { name: 'Accepting 2 claims' }));
  expect(
    dialog.getByText('You can close this. It continues while this page is open.'),
  ).toBeTruthy();
  expect(isAsked()).toBe(true);
  state.runs = [outcomeOf(2, 0)];
  await allAccepted();
  expect(isAsked()).toBe(false);
});

test('an expired sheet moves nothing and can be requested again', async () => {
  const state = serverBatches({}, ['expired']);
  const { user } = await confirm();
  const dialog = within(await screen.findByRole('dialog', { name: 'Nothing was moved' }));
  expect(dialog.getByText('This preview is too old.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Check again' }));
  await screen.findByRole('alertdialog', { name: 'Accept 2 claims?' });
  expect(state.plans[1]).toEqual(state.plans[0]);
});

test('a batch does not continue after another admin has signed in', async () => {
  const state = serverBatches({}, [outcomeOf(1, 1)]);
  await confirm();
  await screen.findByRole('dialog', { name: 'Accepting 2 claims' });
  startSession('of another admin');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { length } = state.ran;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  // One request may have been in progress.
  expect(state.ran.length - length).toBeLessThanOrEqual(1);
});

test('Undo moves the accepted claims back, without a dialog', async () => {
  const state = serverBatches();
  const { user } = await confirm();
  await allAccepted();
  state.planned = { ...state.planned, _id: 'b2', status: 'Pending' };
  await user.click(within(batches()).getByRole('button', { name: 'Undo' }));
  await within(batches()).findByRole('button', { name: /2 claims moved back to Pending/ });
  expect(state.plans.at(-1)).toEqual({ undoOf: 'b1', except: [] });
  expect(state.ran.at(-1)).toBe('b2');
  expect(within(batches()).queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('an undo that fails is reported as bad news, which stays and can be tried again', async () => {
  const state = serverBatches();
  const { user } = await confirm();
  await allAccepted();
  const refuses = http.post('*/api/batches', () => refusal(409, 'conflict', 'Not now.'));
  server.use(refuses);
  // A line without news is removed after some seconds.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await user.click(within(batches()).getByRole('button', { name: 'Undo' }));
  const headline = 'Not undone: 2 claims accepted.';
  const dismiss = await within(batches()).findByRole('button', { name: `Dismiss: ${headline}` });
  expect(within(batches()).getByRole('status').textContent).toBe(headline);
  const line = within(batches()).getByText('Not now.').parentElement;
  expect(line?.className).toMatch(/bad/);
  expect(within(batches()).queryByRole('button', { name: 'Show' })).toBeNull();
  // Unless it has the focus or the pointer.
  dismiss.blur();
  await user.hover(document.body);
  act(() => void vi.advanceTimersByTime(20_000));
  vi.useRealTimers();
  expect(within(batches()).getByText('Not now.')).toBeTruthy();

  serverBatches({ ...state.planned, _id: 'b2', status: 'Pending' });
  await user.click(within(batches()).getByRole('button', { name: 'Undo' }));
  await within(batches()).findByRole('button', { name: /2 claims moved back to Pending/ });
  expect(within(batches()).queryByText('Not now.')).toBeNull();
});

test.each([
  ['planned', () => HttpResponse.json({ ...sheet, _id: 'b2', status: 'Pending' })],
  ['refused', () => refusal(409, 'conflict', 'Not now.')],
])('an undo that is %s after another admin has signed in does nothing', async (_, response) => {
  const state = serverBatches();
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => {
    answer = done;
  });
  const { user } = await confirm();
  await allAccepted();
  const { length } = state.ran;
  let isAsked = false;
  server.use(
    http.post('*/api/batches', async () => {
      isAsked = true;
      await isAnswered;
      return response();
    }),
  );
  await user.click(within(batches()).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(isAsked).toBe(true));
  startSession('of another admin');
  answer();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(state.ran).toHaveLength(length);
  await waitFor(() => expect(within(batches()).queryByRole('button')).toBeNull());
});

test('a batch that is confirmed while another admin signs in does not run', async () => {
  const state = serverBatches();
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => {
    answer = done;
  });
  let isAsked = false;
  server.use(
    http.post('*/api/batches/confirm', async () => {
      isAsked = true;
      await isAnswered;
      return HttpResponse.json({ outcome: outcomeOf(0, 1), endedAt: null });
    }),
  );
  const { queryClient } = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  const draft = { plan: {}, target: 'Accepted', onStarted: () => {}, phase: 'sheet' } as const;
  confirmBatch(queryClient, draft, sheet, { references: {}, without: ['c2'] });
  await waitFor(() => expect(isAsked).toBe(true));
  startSession('of another admin');
  answer();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(state.ran).toEqual([]);
});

test('u undoes a batch that was accepted last', async () => {
  const state = serverBatches();
  const { user } = await confirm();
  await allAccepted();
  await pause();
  await user.keyboard('u');
  await waitFor(() => expect(state.plans.at(-1)).toEqual({ undoOf: 'b1', except: [] }));
});
