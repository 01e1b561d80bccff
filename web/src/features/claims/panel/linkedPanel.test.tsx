import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { moved, openLive } from '../../../testing/liveServer';
import { openApp, openedConfirm } from '../../../testing/openApp';
import { refusal, server } from '../../../testing/server';

const correctedAccount = '00987654321';

/** Client 9 is not in the list that is shown: only its number finds it. */
function serveClaims() {
  const state = serverMoves([claimOf(1), claimOf(2), claimOf(9)]);
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('number');
      const isAsked = ({ number }: { number: string }) =>
        wanted ? number === wanted : number !== 'C-10009';
      return HttpResponse.json(state.claims.filter(isAsked));
    }),
  );
  /** Gives the claim another account, as the service does. */
  const correct = (id: string) => {
    state.claims = state.claims.map((claim) =>
      claim._id === id
        ? { ...claim, accountNo: correctedAccount, version: claim.version + 1 }
        : claim,
    );
  };
  return { state, correct };
}

const panelOf = async (name: string) => within(await screen.findByRole('dialog', { name }));
const focusedRow = () => document.activeElement?.getAttribute('data-row-id');

async function openLinked() {
  const served = serveClaims();
  const app = openApp('/Withdraw/C-10009');
  const panel = await panelOf('Client 9');
  return { ...app, ...served, panel };
}

test('a claim opened by its address is accepted and then paid in its panel', async () => {
  const { user, state, panel } = await openLinked();
  await user.click(panel.getByRole('button', { name: 'Accept' }));
  const pay = panel.getByRole<HTMLButtonElement>('button', { name: 'Paid Success' });
  await waitFor(() => expect(pay.disabled).toBe(false));
  await user.click(pay);
  const confirm = await openedConfirm();
  await user.click(confirm.getByRole('button', { name: 'Paid Success' }));
  await waitFor(() => expect(state.claims[2]?.status).toBe('Paid'));
});

test('the panel of a claim opened by its address shows its move, also without its details', async () => {
  const { user, panel } = await openLinked();
  await panel.findByText('Timeline');
  server.use(http.get('*/api/claims/:id/details', () => refusal(403, 'forbidden', 'Not now.')));
  await user.click(panel.getByRole('button', { name: 'Accept' }));
  expect(await panel.findByText('Accepted')).toBeTruthy();
});

test('a key keeps the panel on a claim that is not in the list', async () => {
  const { user, state } = await openLinked();
  await user.keyboard('a');
  await screen.findByText(/is now Accepted/);
  expect(state.claims[2]?.status).toBe('Accepted');
  await user.keyboard('p');
  const confirm = await openedConfirm();
  expect(confirm.getByText(/Client 9/)).toBeTruthy();
});

test.each([
  { address: '/Withdraw/C-10009', name: 'Client 9', id: 'c9' },
  { address: '/Withdraw/C-10001', name: 'Client 1', id: 'c1' },
])('c and the menu copy the account that the panel shows: $address', async (row) => {
  const { correct } = serveClaims();
  const { user, queryClient } = openApp(row.address);
  const panel = await panelOf(row.name);
  await panel.findByText('Timeline');
  correct(row.id);
  await queryClient.invalidateQueries({ queryKey: ['claims', 'details'] });
  await panel.findByText(correctedAccount);
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  const copied = `${correctedAccount}\nHDFC0001234\n7967.56`;
  await user.keyboard('c');
  await waitFor(() => expect(write.mock.calls).toEqual([[copied]]));
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: /^Copy bank details/ }));
  await waitFor(() => expect(write.mock.calls).toEqual([[copied], [copied]]));
});

test('a menu that was open during a correction copies the new account', async () => {
  const { correct } = serveClaims();
  const { user, queryClient } = openApp('/Withdraw/C-10009');
  const panel = await panelOf('Client 9');
  await panel.findByText('Timeline');
  await user.keyboard('m');
  const copy = await screen.findByRole('menuitem', { name: /^Copy bank details/ });
  correct('c9');
  await queryClient.invalidateQueries({ queryKey: ['claims', 'details'] });
  await panel.findByText(correctedAccount);
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(copy);
  await waitFor(() =>
    expect(write).toHaveBeenCalledWith(`${correctedAccount}\nHDFC0001234\n7967.56`),
  );
});

test('a move by another admin reaches a panel opened by its address', async () => {
  const { state } = serveClaims();
  const { live } = await openLive('/Withdraw/C-10009');
  const panel = await panelOf('Client 9');
  await panel.findByText('Timeline');
  server.use(http.get('*/api/claims/:id/details', () => refusal(403, 'forbidden', 'Not now.')));
  state.moveElsewhere('c9', 'Rejected');
  live.sendEvent('change', moved('c9', 'Rejected', 1));
  expect(await panel.findByText('Rejected')).toBeTruthy();
});

test('closing a panel opened by its address focuses no other claim', async () => {
  const { user, state, panel } = await openLinked();
  await user.click(panel.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(focusedRow()).not.toBe('c1');
  await user.keyboard('a');
  expect(state.puts).toEqual([]);
});
