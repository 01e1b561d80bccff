import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { armed, enter, openApp, openedConfirm, pause } from '../../../testing/openApp';
import { movesFrom } from '../../../testing/sampleMoves';
import { refusal } from '../../../testing/server';

const focusedRow = () => document.activeElement?.getAttribute('data-row-id');
const statuses = (state: ReturnType<typeof serverMoves>) =>
  state.claims.map(({ status }) => status);
const press = (key: string, rest = {}) =>
  fireEvent.keyDown(document.activeElement as Element, { key, ...rest });

async function openQueue(claims: Parameters<typeof serverMoves>[0], path = '/Withdraw') {
  const state = serverMoves(claims);
  const app = openApp(path);
  await screen.findByText(claims[0]?.user.username ?? '');
  await app.user.keyboard('j');
  return { ...app, state };
}

test('a accepts with one press and moves on to the next waiting claim', async () => {
  const claims = [claimOf(1), claimOf(2), claimOf(3, 'Paid'), claimOf(4)];
  const { user, state } = await openQueue(claims);
  await user.keyboard('a');
  await waitFor(() => expect(focusedRow()).toBe('c2'));
  await user.keyboard('a');
  expect(focusedRow()).toBe('c4');
  await waitFor(() => expect(statuses(state)).toEqual(['Accepted', 'Accepted', 'Paid', 'Pending']));
});

test('a claim that has left the queue stays in its place until the list is refetched', async () => {
  const { user } = await openQueue([claimOf(1), claimOf(2)], '/Withdraw?status=Pending');
  await user.keyboard('a');
  await waitFor(() => expect(focusedRow()).toBe('c2'));
  const rows = () => [...document.querySelectorAll('[data-row-id]')];
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Accepted'));
  expect(rows().map((row) => row.getAttribute('data-row-id'))).toEqual(['c1', 'c2']);
});

test('a key that is held down acts once', async () => {
  const { state } = await openQueue([claimOf(1), claimOf(2)]);
  press('a');
  press('a', { repeat: true });
  await waitFor(() => expect(statuses(state)).toEqual(['Accepted', 'Pending']));
  expect(state.puts).toHaveLength(1);
});

test('the Enter that ends a composed character does not confirm', async () => {
  const { user, state } = await openQueue([claimOf(1, 'Accepted')]);
  await user.keyboard('p');
  const dialog = await openedConfirm();
  const field = dialog.getByLabelText(/^Bank reference/);
  await user.type(field, 'SBIN1234');
  await armed();
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true, keyCode: 229 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(state.puts).toEqual([]);
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(statuses(state)).toEqual(['Paid']));
});

test('p on a claim that cannot be paid yet says why nothing happens', async () => {
  const { user, state } = await openQueue([claimOf(1)]);
  await user.keyboard('p');
  expect(await screen.findByText(/is Pending and cannot become Paid/)).toBeTruthy();
  expect(state.puts).toEqual([]);
});

test('u undoes the last Accept, and the focus returns to its claim', async () => {
  const { user, state } = await openQueue([claimOf(1), claimOf(2), claimOf(3)]);
  await user.keyboard('a');
  await waitFor(() => expect(statuses(state)[0]).toBe('Accepted'));
  await screen.findByText(/is now Accepted/);
  await user.keyboard('u');
  await waitFor(() => expect(statuses(state)[0]).toBe('Pending'));
  expect(focusedRow()).toBe('c1');
  expect(state.puts[1]?.body).toEqual({ status: 'Pending', version: 1 });
  await screen.findByText(/is now Pending/);
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo.')).toBeTruthy();
});

test('u undoes nothing once the notice is over', async () => {
  const { user, state } = await openQueue([claimOf(1), claimOf(2)]);
  await user.keyboard('a');
  await screen.findByText(/is now Accepted/);
  const later = Date.now() + 8_001;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  await user.keyboard('u');
  expect(await screen.findByText('There is nothing to undo.')).toBeTruthy();
  expect(statuses(state)[0]).toBe('Accepted');
});

test('the notice of an Accept offers Undo, that of a hold Release, that of a payment nothing', async () => {
  const { user, state } = await openQueue([claimOf(1), claimOf(2), claimOf(3, 'Accepted')]);
  await user.keyboard('a');
  await user.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(() => expect(statuses(state)[0]).toBe('Pending'));
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();

  await user.keyboard('h');
  await screen.findByRole('dialog', { name: 'Put this claim on hold?' });
  await user.keyboard('The bank asks');
  await armed();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Release…' }));
  expect(await screen.findByRole('dialog', { name: 'Release this claim?' })).toBeTruthy();
  await user.keyboard('{Escape}');
});

test('an undo leads to where the server says', async () => {
  const moves = movesFrom.Accepted.filter(({ isUndo }) => isUndo).map((undo) => ({
    ...undo,
    to: 'Returned' as const,
  }));
  const { user, state } = await openQueue([{ ...claimOf(1, 'Accepted'), moves }]);
  await user.keyboard('u');
  await waitFor(() => expect(state.puts.map(({ body }) => body.status)).toEqual(['Returned']));
});

test('u also undoes a Reject', async () => {
  const { user, state } = await openQueue([claimOf(1), claimOf(2)]);
  await user.keyboard('r');
  await screen.findByRole('dialog', { name: 'Reject this claim?' });
  await user.keyboard('Not his account');
  await armed();
  await user.keyboard('{Enter}');
  await screen.findByRole('button', { name: /^Undo/ });
  await pause();
  await user.keyboard('u');
  await waitFor(() => expect(statuses(state)[0]).toBe('Pending'));
});

test('c copies account, IFSC and amount as three lines', async () => {
  const { user } = await openQueue([claimOf(1)]);
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.keyboard('c');
  await screen.findByText('Copied account, IFSC and amount of Client 1.');
  expect(write).toHaveBeenCalledWith('00123456789\nHDFC0001234\n7967.56');
});

test('r asks for a reason and sends it with the move', async () => {
  const { user, state } = await openQueue([claimOf(1), claimOf(2)]);
  await user.keyboard('r');
  const dialog = await screen.findByRole('dialog', { name: 'Reject this claim?' });
  expect(within(dialog).getByText('₹7,967.56')).toBeTruthy();
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Reason'));
  await armed();
  await user.keyboard('{Enter}');
  expect(within(dialog).getByRole('alert').textContent).toContain('Enter a reason');
  await user.keyboard('Not his account{Enter}');
  await waitFor(() => expect(statuses(state)).toEqual(['Rejected', 'Pending']));
  expect(state.puts[0]?.body).toMatchObject({ status: 'Rejected', reason: 'Not his account' });
  await waitFor(() => expect(focusedRow()).toBe('c2'));
});

test('an error about the reason is shown at its field, and the dialog stays open', async () => {
  const { user, state } = await openQueue([claimOf(1)]);
  state.refuse = () => refusal(422, 'invalid_input', 'No.', { reason: 'At most 500 letters.' });
  await user.keyboard('h');
  const dialog = await screen.findByRole('dialog', { name: 'Put this claim on hold?' });
  await user.keyboard('Why');
  await armed();
  await user.keyboard('{Enter}');
  expect(await within(dialog).findByText('At most 500 letters.')).toBeTruthy();
  expect(screen.getByLabelText('Reason').getAttribute('aria-invalid')).toBe('true');
});

test('a bank reference that is already used shows an error at its field', async () => {
  const { user, state } = await openQueue([claimOf(1, 'Accepted')]);
  state.refuse = () => refusal(409, 'reference_taken', 'Client 7 has this reference.');
  await user.keyboard('p');
  const confirm = await openedConfirm();
  await enter(user, confirm.getByLabelText(/Bank reference/), 'hdfc 123456');
  expect(await confirm.findByText('Client 7 has this reference.')).toBeTruthy();
  expect(state.puts[0]?.body).toMatchObject({ status: 'Paid', reference: 'hdfc 123456' });
});

test('a required bank reference has the initial focus, and nothing is paid without it', async () => {
  const state = serverMoves([claimOf(1, 'Accepted')]);
  state.needsReference = true;
  const { user, queryClient } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jc');
  await screen.findByText(/^Copied/);
  await waitFor(() => expect(queryClient.getQueryData(['policy'])).toBeTruthy());
  await user.keyboard('p');
  const confirm = await openedConfirm();
  expect(document.activeElement).toBe(confirm.getByLabelText('Bank reference (UTR)'));
  await armed();
  await user.keyboard('{Enter}');
  expect(await confirm.findByText('A payment needs its bank reference.')).toBeTruthy();
  expect(state.puts).toEqual([]);
});
