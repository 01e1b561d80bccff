import { screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Schemas } from '../../../api/client';
import { openApp, rowOf } from '../../../testing/openApp';
import { pending } from '../../../testing/sampleData';
import { movesFrom } from '../../../testing/sampleMoves';
import { refusal, server } from '../../../testing/server';
import { formatMoment } from '../../../ui/text/dates';

const putStatus = '*/api/claims/:id/status';

/** The list returns the old claim; a request for the claim alone returns its current state. */
function serverHas(claimNow: () => Response | Promise<Response>) {
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([pending])),
    http.get(`*/api/claims/${pending._id}`, claimNow),
  );
}

const claimWith = (status: Schemas['Claim']['status']) => () =>
  HttpResponse.json({ ...pending, status, moves: movesFrom[status] });
const stillPending = claimWith('Pending');

async function accept() {
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  await user.click(row.getByRole('button', { name: /^Accept/ }));
  return { user, row };
}

test('a conflict names who moved the claim and when, and the row shows the current status', async () => {
  const at = '2026-11-15T02:52:00Z';
  serverHas(claimWith('Paid'));
  server.use(
    http.put(putStatus, () =>
      refusal(409, 'claim_cannot_move', 'No.', { status: 'Paid', by: 'asha', at }),
    ),
  );
  const { row } = await accept();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The claim of Rahul Nair (₹7,967.56) was not changed.');
  expect(alert.textContent).toContain(`asha moved this claim to Paid on ${formatMoment(at)}.`);
  expect(await row.findByText('Paid')).toBeTruthy();
});

test('a conflict is shown in the row even when the claim cannot be read again', async () => {
  serverHas(() => refusal(403, 'forbidden', 'Not for you.'));
  server.use(
    http.put(putStatus, () =>
      refusal(409, 'claim_cannot_move', 'Already paid.', { status: 'Paid' }),
    ),
  );
  const { row } = await accept();
  expect(await row.findByText('Paid')).toBeTruthy();
  expect(screen.getByText('Already paid.')).toBeTruthy();
});

test.each([
  ['a refusal about the status that was sent', 422, 'invalid_input', 'Enter a known status.'],
  ['a conflict with a status that this page does not know', 409, 'claim_cannot_move', 'Frozen'],
])('%s leaves the status of the row as it is', async (_, httpStatus, code, status) => {
  serverHas(() => refusal(403, 'forbidden', 'Not for you.'));
  server.use(http.put(putStatus, () => refusal(httpStatus, code, 'Not accepted.', { status })));
  const { row } = await accept();
  expect(await screen.findByText('Not accepted.')).toBeTruthy();
  const button = row.getByRole('button', { name: /^Accept/ });
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
  expect(row.getByText('Pending')).toBeTruthy();
});

test('any other refusal shows the message of the server and can be dismissed', async () => {
  server.use(http.put(putStatus, () => refusal(404, 'claim_not_found', 'There is no such claim.')));
  const { user } = await accept();
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such claim.');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['a lost answer', () => HttpResponse.error()],
  ['a broken server', () => refusal(500, 'internal_error', 'Oops.')],
])('%s is an unknown outcome: it is checked, not reported as failed', async (_, answer) => {
  serverHas(async () => {
    await delay(60);
    return claimWith('Accepted')();
  });
  server.use(http.put(putStatus, answer));
  const { row } = await accept();
  expect(await screen.findByText('The outcome is not known yet. Checking…')).toBeTruthy();
  expect(row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ }).disabled).toBe(true);
  expect(await screen.findByText('Checked: The server says it is Accepted.')).toBeTruthy();
  expect(row.getByText('Accepted')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/failed/i);
});

test('when the check finds the claim unmoved, the admin may try again', async () => {
  serverHas(stillPending);
  server.use(http.put(putStatus, () => HttpResponse.error()));
  const { row } = await accept();
  expect(
    await screen.findByText('Checked: The server says it is Pending. You can try again.'),
  ).toBeTruthy();
  await waitFor(() =>
    expect(row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ }).disabled).toBe(false),
  );
});

test('the row stays locked while the outcome is unknown, until a check succeeds', async () => {
  let isDown = true;
  serverHas(() => (isDown ? HttpResponse.error() : stillPending()));
  server.use(http.put(putStatus, () => HttpResponse.error()));
  const { user, row } = await accept();
  const again = await screen.findByRole('button', { name: 'Check again' });
  expect(row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ }).disabled).toBe(true);
  isDown = false;
  await user.click(again);
  expect(await screen.findByText(/Checked: The server says it is Pending/)).toBeTruthy();
});

test('a claim that no longer exists on the server keeps its row, which allows no more moves', async () => {
  serverHas(() => refusal(404, 'claim_not_found', 'There is no such claim.'));
  server.use(http.put(putStatus, () => HttpResponse.error()));
  const { row } = await accept();
  expect(await screen.findByText('Checked: This claim no longer exists.')).toBeTruthy();
  for (const name of [/^Accept/, /^Paid Success/]) {
    expect(row.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }
});
