import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openRow } from '../../../testing/openApp';
import { viewerPermissions } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const whole = '001234566864';
const masked = '••••6864';
const refused =
  'The account number is masked. Press Show in the details of the claim, then copy it.';
const show = 'Show the whole account number';

/** A server that shows this admin only the last digits, and counts the requests for the whole numbers. */
function serveMasked() {
  const state = serverMoves([{ ...claimOf(1), accountNo: masked }]);
  const asked = { count: 0, isRefused: false };
  server.use(
    http.post('*/api/claims/c1/reveal', () => {
      asked.count += 1;
      return asked.isRefused
        ? refusal(403, 'forbidden', 'Your role does not include this.')
        : HttpResponse.json({ accountNo: whole, mobile: '9805756092' });
    }),
  );
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  return { state, asked, copies: () => write.mock.calls.map(([text]) => text) };
}

async function openMasked() {
  const served = serveMasked();
  const app = openApp('/Withdraw', { permissions: viewerPermissions });
  await openRow(app.user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  await panel.findByText('Timeline');
  return { ...app, ...served, panel };
}

test('a refused number says why, and can be asked for again', async () => {
  const { user, asked, panel } = await openMasked();
  asked.isRefused = true;
  await user.click(panel.getByRole('button', { name: show }));
  expect((await panel.findByRole('alert')).textContent).toBe('Your role does not include this.');
  asked.isRefused = false;
  await user.click(
    panel.getByRole('button', { name: 'Try again to show the whole account number' }),
  );
  expect(await panel.findByText(whole)).toBeTruthy();
  expect(panel.queryByRole('alert')).toBeNull();
});

test('two presses ask for the number once', async () => {
  const { asked, panel } = await openMasked();
  const button = panel.getByRole('button', { name: show });
  fireEvent.click(button);
  fireEvent.click(button);
  await panel.findByText(whole);
  expect(asked.count).toBe(1);
});

test('a masked number is never copied', async () => {
  const { user, panel, copies } = await openMasked();
  await user.click(panel.getByRole('button', { name: 'Copy Account No' }));
  expect(await panel.findByText(refused)).toBeTruthy();
  expect(panel.queryByText('Copied')).toBeNull();
  await user.keyboard('1c');
  await user.click(panel.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('c');
  expect(await screen.findByText(refused)).toBeTruthy();
  expect(copies()).toEqual([]);
});

test('a number that was shown is copied in full, by each way to copy it', async () => {
  const { user, panel, copies } = await openMasked();
  await user.click(panel.getByRole('button', { name: show }));
  await panel.findByText(whole);
  await user.keyboard('1c');
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: /^Copy bank details/ }));
  const all = `${whole}\nHDFC0001234\n7967.56`;
  await waitFor(() => expect(copies()).toEqual([whole, all, all]));
});

test('a number that was shown is masked again after a change of the claim', async () => {
  const { user, state, panel, queryClient } = await openMasked();
  await user.click(panel.getByRole('button', { name: show }));
  await panel.findByText(whole);
  state.claims = state.claims.map((claim) => ({ ...claim, version: claim.version + 1 }));
  await queryClient.invalidateQueries({ queryKey: ['claims', 'details'] });
  expect(await panel.findByText(masked)).toBeTruthy();
  expect(panel.queryByText(whole)).toBeNull();
});
