import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { endSession } from '../../../api/session';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { refusal, server } from '../../../testing/server';

async function acceptFirst() {
  const app = openApp('/Withdraw');
  const row = await rowOf('Client 1');
  await app.user.click(row.getByRole('button', { name: /^Accept/ }));
  return { ...app, row };
}

test('each move sends its own idempotency key and the version that the admin saw', async () => {
  const state = serverMoves([{ ...claimOf(1), version: 4 }, claimOf(2)]);
  const { user, row } = await acceptFirst();
  await row.findByText('Accepted');
  const other = await rowOf('Client 2');
  await user.click(other.getByRole('button', { name: /^Accept/ }));
  await other.findByText('Accepted');
  expect(state.puts.map(({ body }) => body)).toEqual([
    { status: 'Accepted', version: 4 },
    { status: 'Accepted', version: 0 },
  ]);
  const keys = state.puts.map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test('a lost response is retried with the same key, and a success is reported as usual', async () => {
  const state = serverMoves([claimOf(1)]);
  state.loses = 2;
  const { row } = await acceptFirst();
  expect(await row.findByText('Accepted')).toBeTruthy();
  expect(state.puts).toHaveLength(3);
  expect(new Set(state.puts.map(({ key }) => key)).size).toBe(1);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('while no response arrives, a notice says that the request is sent again', async () => {
  const state = serverMoves([claimOf(1)]);
  state.loses = 3;
  const { row } = await acceptFirst();
  expect(await screen.findByText('The outcome is not known yet. Asking again…')).toBeTruthy();
  expect(row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ }).disabled).toBe(true);
  expect(await row.findByText('Accepted')).toBeTruthy();
});

test.each([
  ['a response', 3],
  ['a check', 4],
])('a late outcome leaves the dialog of the next claim open: %s', async (_, loses) => {
  const state = serverMoves([claimOf(1, 'Accepted'), claimOf(2, 'Accepted')]);
  state.loses = loses;
  const { user } = openApp('/Withdraw');
  const first = await rowOf('Client 1');
  await user.keyboard('jp');
  await user.type((await openedConfirm()).getByRole('textbox'), 'UTR1{Enter}');
  await screen.findByText('The outcome is not known yet. Asking again…');
  const second = await rowOf('Client 2');
  await user.click(second.getByRole('button', { name: /^Paid Success/ }));
  const confirm = await openedConfirm();
  const field = confirm.getByRole<HTMLInputElement>('textbox');
  await user.type(field, 'UTR2');
  expect(await first.findByText('Paid')).toBeTruthy();
  expect(confirm.getByText(/Client 2/)).toBeTruthy();
  expect([field.value, field.isConnected]).toEqual(['UTR2', true]);
  expect(document.activeElement).toBe(field);
});

test('a refusal is not retried', async () => {
  const state = serverMoves([claimOf(1)]);
  state.refuse = () => refusal(409, 'policy_refuses', 'You accepted it.', { rule: 'two-persons' });
  await acceptFirst();
  expect(await screen.findByText('You accepted it.')).toBeTruthy();
  expect(state.puts).toHaveLength(1);
});

test('nothing is retried with the session of the next admin', async () => {
  const state = serverMoves([claimOf(1)]);
  state.refuse = () => HttpResponse.error();
  const tokens = new Set<string | null>();
  const note = ({ request }: { request: Request }) => {
    if (request.method === 'PUT') tokens.add(request.headers.get('Authorization'));
  };
  server.events.on('request:start', note);
  await acceptFirst();
  await waitFor(() => expect(state.puts).not.toHaveLength(0));
  endSession();
  localStorage.setItem('token', 'another');
  await new Promise((resolve) => setTimeout(resolve, 600));
  server.events.removeListener('request:start', note);
  expect([...tokens]).not.toContain('Bearer another');
  expect(tokens.size).toBe(1);
});
