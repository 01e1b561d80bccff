import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openRow, retryUntil } from '../../../testing/openApp';
import { detailsOf } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

async function openFirst(claims = [claimOf(1), claimOf(2)]) {
  const state = serverMoves(claims);
  const app = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await app.user.keyboard('j{Enter}');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  return { ...app, state, panel };
}

test('the panel shows everything that helps to decide', async () => {
  const { panel } = await openFirst();
  await panel.findByText('Timeline');
  expect(panel.getByRole('link', { name: 'Client 1' }).getAttribute('href')).toBe('/client/u1');
  expect(panel.getByText('Nothing was ever paid to this account.')).toBeTruthy();
  expect(panel.getByText('The name differs')).toBeTruthy();
  expect(panel.getByText(/by ravi/)).toBeTruthy();
  const lineOf = (name: string) => panel.getByText(name).parentElement?.textContent;
  expect(lineOf('Earned to date')).toContain('₹3,000.00');
  expect(lineOf('Paid out')).toMatch(/−\s?₹1,000\.00/);
  expect(lineOf('In other open claims')).toMatch(/−\s?₹2,500\.50/);
  expect(lineOf('Available to withdraw')).toMatch(/−\s?₹500\.50/);
  expect(panel.getByRole('heading', { name: 'Purchases, 31, the newest 1' })).toBeTruthy();
  expect(panel.getByText(/₹150.00\/day · 20 days/)).toBeTruthy();
  expect(panel.getByText(/00999 · SBIN0000001/)).toBeTruthy();
  expect(panel.getByText('Bank').nextSibling?.textContent).toBe('HDFC Bank');
});

test('the keys 1, 2 and 3 copy account, IFSC and amount', async () => {
  const { user } = await openFirst();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.keyboard('123');
  await waitFor(() =>
    expect(write.mock.calls.map(([text]) => text)).toEqual([
      '00123456789',
      'HDFC0001234',
      '7967.56',
    ]),
  );
});

test('j and k step from claim to claim, and a moves on to the next waiting claim', async () => {
  const { state } = await openFirst([claimOf(1), claimOf(2), claimOf(3)]);
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('dialog'), { key });
  press('j');
  await screen.findByRole('dialog', { name: 'Client 2' });
  press('k');
  await screen.findByRole('dialog', { name: 'Client 1' });
  press('a');
  await screen.findByRole('dialog', { name: 'Client 2' });
  await waitFor(() => expect(state.claims[0]?.status).toBe('Accepted'));
});

test('after a click the panel stays on its claim', async () => {
  const { user, state, panel } = await openFirst();
  await user.click(panel.getByRole('button', { name: /^Accept/ }));
  await waitFor(() => expect(state.claims[0]?.status).toBe('Accepted'));
  const still = within(screen.getByRole('dialog', { name: 'Client 1' }));
  const pay = await still.findByRole<HTMLButtonElement>('button', { name: /^Paid Success/ });
  await waitFor(() => expect(pay.disabled).toBe(false));
});

test('a move that is refused to this admin is disabled, with the reason next to it', async () => {
  const claim = claimOf(1, 'Accepted');
  const state = serverMoves([claim]);
  const blocked = [{ status: 'Paid' as const, sentence: 'You accepted it: another must pay it.' }];
  server.use(
    http.get('*/api/claims/:id/details', () => HttpResponse.json({ ...detailsOf(claim), blocked })),
  );
  const { user } = openApp('/Withdraw');
  await openRow(user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  expect(await panel.findByText('You accepted it: another must pay it.')).toBeTruthy();
  const pay = panel.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ });
  expect(pay.disabled).toBe(true);
  expect(state.puts).toEqual([]);
});

test('details that cannot be loaded show an error with Retry, below the claim itself', async () => {
  serverMoves([claimOf(1)]);
  let isDown = true;
  server.use(
    http.get('*/api/claims/:id/details', () =>
      isDown ? refusal(403, 'forbidden', 'Not now.') : HttpResponse.json(detailsOf(claimOf(1))),
    ),
  );
  const { user } = openApp('/Withdraw');
  await openRow(user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  expect(await panel.findByText('The details could not be loaded.')).toBeTruthy();
  expect(panel.getByText('00123456789')).toBeTruthy();
  isDown = false;
  expect(await retryUntil(user, () => panel.getByText('Timeline'), panel)).toBeTruthy();
});

test('a click on a row outside its buttons opens it too', async () => {
  serverMoves([claimOf(1)]);
  const { user } = openApp('/Withdraw');
  await user.click(await screen.findByText('00123456789'));
  expect(await screen.findByRole('dialog', { name: 'Client 1' })).toBeTruthy();
});
