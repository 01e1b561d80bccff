import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../testing/claimServer';
import { moved, openLive, pause } from '../../testing/liveServer';
import { openRow, rowOf } from '../../testing/openApp';
import { server } from '../../testing/server';

const account = '888877776665';

async function openFirst() {
  const state = serverMoves([claimOf(1), { ...claimOf(2), accountNo: '004710173952' }]);
  const { live, user } = await openLive('/Withdraw');
  await openRow(user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  const correct = () => {
    state.moveElsewhere('c1', 'Pending');
    state.claims = state.claims.map((claim) =>
      claim._id === 'c1' ? { ...claim, accountNo: account } : claim,
    );
    live.sendEvent('change', moved('c1', 'Pending', 1));
  };
  return { user, panel, correct };
}

test('“Copied” does not stay beside the account of the next claim', async () => {
  const { user, panel } = await openFirst();
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.keyboard('1');
  await panel.findByText('Copied');
  await user.keyboard('j');
  const next = within(await screen.findByRole('dialog', { name: 'Client 2' }));
  expect(next.queryByText('Copied')).toBeNull();
});

test('a correction while the claim is open is reported, and “Copied” does not stay beside the new account', async () => {
  const { user, panel, correct } = await openFirst();
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  expect(panel.queryByRole('alert')).toBeNull();
  await user.keyboard('1');
  await panel.findByText('Copied');
  correct();
  await panel.findByText(account);
  expect(panel.queryByText('Copied')).toBeNull();
  const { accountNo } = claimOf(1);
  expect(panel.getByRole('alert').textContent).toBe(
    `Corrected while you had this claim open: Account No was ${accountNo}.`,
  );
  // Whoever opens it now sees the new account only.
  await user.click(panel.getByRole('button', { name: /^Close/ }));
  await openRow(user, 'Client 1');
  await screen.findByRole('dialog', { name: 'Client 1' });
  await waitFor(() => expect(screen.queryByText(/^Corrected while/)).toBeNull());
});

test('a selected claim is copied as it is now, and the message says that it has changed', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { live, user } = await openLive('/Withdraw');
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Client 1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Client 2' }));
  state.moveElsewhere('c1', 'Paid');
  state.claims = state.claims.map((claim) =>
    claim._id === 'c1' ? { ...claim, accountNo: account } : claim,
  );
  live.sendEvent('change', moved('c1', 'Paid', 1));
  await (await rowOf('Client 1')).findByText(account);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await screen.findByText('Copied 2 claims. 1 changed since you selected it.');
  const lines = String(write.mock.calls[0]?.[0]).split('\n');
  const changed = lines.find((line) => line.includes('C-10001'));
  expect(changed).toContain(`="${account}"`);
  expect(changed).toContain('Paid');
});

test('a selected claim whose page is no longer loaded is read again when it changes', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { live, user, queryClient } = await openLive('/Withdraw');
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Client 1' }));
  state.claims = [claimOf(2)];
  await queryClient.resetQueries({ queryKey: ['claims', 'rows'] });
  await waitFor(() => expect(screen.queryByText('Client 1')).toBeNull());
  state.claims = [claimOf(2), { ...claimOf(1, 'Paid'), version: 1, accountNo: account }];
  live.sendEvent('change', moved('c1', 'Paid', 1));
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(String(write.mock.lastCall?.[0])).toContain(account);
  });
});

test('a page that was read before a change and arrives after it does not stay old', async () => {
  const state = serverMoves([claimOf(1), claimOf(2, 'Rejected')]);
  const { live, user } = await openLive('/Withdraw?status=Rejected');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isReading = false;
  server.use(
    http.get(
      '*/api/claims/all',
      async () => {
        isReading = true;
        await held;
        return HttpResponse.json([claimOf(1)]);
      },
      { once: true },
    ),
  );
  await user.click(await screen.findByRole('button', { name: /^Pending/ }));
  await waitFor(() => expect(isReading).toBe(true));
  state.moveElsewhere('c1', 'Accepted');
  live.sendEvent('change', moved('c1', 'Accepted', 1));
  await pause(300);
  answer();
  await (await rowOf('Client 1')).findByText('Accepted');
});
