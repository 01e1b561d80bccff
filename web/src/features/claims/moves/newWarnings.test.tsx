import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import type { Schemas } from '../../../api/client';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { armed, openApp, pause, rowOf } from '../../../testing/openApp';
import { detailsOf } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

type Fact = Schemas['Fact'];

const first: Fact = { id: 'first_payout:0', code: 'first_payout', sentence: 'First payout.' };
const twin: Fact = {
  id: 'near_duplicate:1:1763175156',
  code: 'near_duplicate',
  sentence: 'Another claim of ₹7,967.56, made on 15 Nov 2026, is Pending.',
};
const changed = 'The warnings or details changed while this was open. Read them again.';

afterEach(() => void vi.useRealTimers());

/** A server whose details of the claim can be held back and changed. */
function serve() {
  const state = serverMoves([claimOf(1, 'Accepted')]);
  let claim = claimOf(1, 'Accepted');
  let facts = [first];
  let held: Promise<void> | undefined;
  server.use(
    http.get('*/api/claims/:id/details', async () => {
      await held;
      return HttpResponse.json({ ...detailsOf(claim), facts });
    }),
  );
  return {
    state,
    warn: (...more: Fact[]) => {
      facts = [...facts, ...more];
    },
    correct: (values: Partial<typeof claim>) => {
      claim = { ...claim, ...values };
    },
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

async function askToPay() {
  const app = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await app.user.keyboard('jp');
  return app;
}

const dialog = async () => within(await screen.findByRole('alertdialog'));
const reference = () => screen.getByLabelText<HTMLInputElement>(/^Bank reference/);
const pressEnter = () => fireEvent.keyDown(reference(), { key: 'Enter' });

/** Presses Enter at the moment when this is on the page, before any timer can run. */
function enterOnceShown(text: string | RegExp): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!screen.queryByText(text)) return;
      observer.disconnect();
      pressEnter();
      fireEvent.click(screen.getByRole('button', { name: 'Paid Success' }));
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

test('a payment carries the warnings that were shown', async () => {
  const { state } = serve();
  const { user } = await askToPay();
  await (await dialog()).findByText(first.sentence);
  await user.type(reference(), 'N3192600');
  await armed();
  pressEnter();
  await waitFor(() => expect(state.puts).toHaveLength(1));
  expect(state.puts[0]?.body).toEqual({
    status: 'Paid',
    version: 0,
    reference: 'N3192600',
    seen: [first.id],
  });
});

test('warnings that were shown the last time are not shown before they are read again', async () => {
  const { state, warn, hold } = serve();
  const { user } = await askToPay();
  await (await dialog()).findByText(first.sentence);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  warn(twin);
  const release = hold();
  const row = await rowOf('Client 1');
  await user.click(row.getByRole('button', { name: /^Paid Success/ }));
  const again = await dialog();
  expect(again.getByText('Checking for warnings…')).toBeTruthy();
  expect(again.queryByText(first.sentence)).toBeNull();
  await user.type(reference(), 'N3192600');
  await pause();
  pressEnter();
  const hasEntered = enterOnceShown(twin.sentence);
  release();
  await hasEntered;
  expect(again.queryByText(changed)).toBeNull();
  expect(state.puts).toEqual([]);
  await armed();
  pressEnter();
  await waitFor(() => expect(state.puts[0]?.body.seen).toEqual([first.id, twin.id]));
});

test.each([
  ['a new warning', ({ warn }: ReturnType<typeof serve>) => warn(twin), twin.sentence],
  [
    'another account',
    ({ correct }: ReturnType<typeof serve>) => correct({ accountNo: '77777777777' }),
    /Account 77777777777/,
  ],
  [
    'another name',
    ({ correct }: ReturnType<typeof serve>) =>
      correct({ user: { _id: 'u1', username: 'Another client', mobile: '9878216267' } }),
    /Another client/,
  ],
])(
  'the half second begins again with %s, and the dialog says that it changed',
  async (_what, change, shown) => {
    const served = serve();
    const { user, queryClient } = await askToPay();
    const open = await dialog();
    await open.findByText(first.sentence);
    await user.type(reference(), 'N3192600');
    await armed();
    change(served);
    const hasEntered = enterOnceShown(shown);
    void queryClient.invalidateQueries({ queryKey: ['claims', 'details'] });
    await hasEntered;
    expect(open.getByText(changed)).toBeTruthy();
    expect(served.state.puts).toEqual([]);
    await armed();
    pressEnter();
    await waitFor(() => expect(served.state.puts).toHaveLength(1));
  },
);

test('the warnings are read again while the dialog is open, because no event reports a similar claim', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { warn } = serve();
  openApp('/Withdraw');
  await screen.findByText('Client 1');
  fireEvent.click(screen.getByRole('button', { name: /^Paid Success/ }));
  const open = await dialog();
  await open.findByText(first.sentence);
  warn(twin);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await open.findByText(twin.sentence)).toBeTruthy();
});

test('a refusal because of a new warning keeps the dialog, and shows the warning before the next Enter', async () => {
  const { state, warn } = serve();
  const { user } = await askToPay();
  const open = await dialog();
  await open.findByText(first.sentence);
  await user.type(reference(), 'N3192600');
  const message = `This claim has a new warning: ${twin.sentence} Check it before you pay.`;
  state.refuse = ({ body }) => {
    if (body.seen?.includes(twin.id)) return undefined;
    warn(twin);
    return refusal(409, 'warning_not_seen', message);
  };
  await armed();
  const hasEntered = enterOnceShown(twin.sentence);
  pressEnter();
  expect(await open.findByText(message)).toBeTruthy();
  await hasEntered;
  expect(reference().value).toBe('N3192600');
  expect(state.puts).toHaveLength(1);
  // Keys are ignored for a moment after an answer, and that Enter has prolonged it.
  await pause();
  await armed();
  pressEnter();
  const seen = () => state.puts.map(({ body }) => body.seen);
  await waitFor(() => expect(seen()).toEqual([[first.id], [first.id, twin.id]]));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('when the warnings cannot be loaded, none counts as seen', async () => {
  const { state } = serve();
  server.use(http.get('*/api/claims/:id/details', () => refusal(400, 'unreadable', 'No.')));
  const { user } = await askToPay();
  await (await dialog()).findByText('The warnings of this claim could not be loaded.');
  await user.type(reference(), 'N3192600');
  await armed();
  pressEnter();
  await waitFor(() => expect(state.puts[0]?.body.seen).toEqual([]));
});
