import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { armed, openApp, openedConfirm, pause } from '../../../testing/openApp';
import { refusal } from '../../../testing/server';

const focusedRow = () => document.activeElement?.getAttribute('data-row-id');
const press = (key: string, rest = {}) =>
  fireEvent.keyDown(document.activeElement as Element, { key, ...rest });
const field = () => screen.getByLabelText<HTMLInputElement>(/^Bank reference/);

/** happy-dom closes no dialog by Escape. */
const pressEscape = () =>
  fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));

async function openQueue() {
  const state = serverMoves([1, 2, 3].map((number) => claimOf(number, 'Accepted')));
  const app = openApp('/Withdraw?status=Accepted');
  await screen.findByText('Client 1');
  await app.user.keyboard('j');
  return { ...app, state };
}

test('a reference that is typed blind is the reference, whatever shortcuts its letters are', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('ppaytm123456');
  expect(field().value).toBe('paytm123456');
  expect(state.puts).toEqual([]);
  await armed();
  await user.keyboard('{Enter}jpahrx');
  await waitFor(() => expect(focusedRow()).toBe('c2'));
  await user.keyboard('jpahrx{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.puts.map(({ id, body }) => [id, body.reference])).toEqual([['c1', 'paytm123456']]);
});

test('without a reference only the button pays, and Enter in the empty field says so', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('p');
  const confirm = await openedConfirm();
  await armed();
  await user.keyboard('{Enter}{Control>}{Enter}{/Control}');
  expect(confirm.getByText('To go on without it, press Paid Success.')).toBeTruthy();
  expect(state.puts).toEqual([]);
  await user.keyboard('{Tab}{Tab}');
  const button = confirm.getByRole('button', { name: 'Paid Success' });
  expect(document.activeElement).toBe(button);
  for (const key of ['p', 'y', 'a']) press(key);
  // Enter that is held down since before, and a hasty one, do not press the button.
  expect(press('Enter', { repeat: true })).toBe(false);
  expect(state.puts).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(state.puts.map(({ body }) => body)).toHaveLength(1));
  expect(state.puts[0]?.body).toEqual({
    status: 'Paid',
    version: 0,
    seen: ['first_payout:0'],
  });
});

test('the key that opened the dialog types nothing while it is held down', async () => {
  const { user } = await openQueue();
  await user.keyboard('{p>}');
  await screen.findByRole('alertdialog');
  expect(document.activeElement).toBe(field());
  expect(press('p', { code: 'KeyP', repeat: true })).toBe(false);
  await user.keyboard('{/p}paytm');
  expect(field().value).toBe('paytm');
});

test('while the payment is sent and after it was refused, Enter does not send it again', async () => {
  const { user, state } = await openQueue();
  state.refuse = () => refusal(409, 'reference_taken', 'Client 7 has this reference.');
  await user.keyboard('ppaytm1');
  const confirm = await openedConfirm();
  await armed();
  await user.keyboard('{Enter}{Enter}xp{Enter}');
  await confirm.findByText('Client 7 has this reference.');
  await user.keyboard('p{Enter}');
  expect(field().value).toBe('paytm1');
  expect(state.puts).toHaveLength(1);
  await pause();
  await user.click(field());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(state.puts).toHaveLength(2));
});

test('after Cancel, letters that are typed on move nothing, however long they pause', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('ppaytm');
  pressEscape();
  await user.keyboard('ppaytmjua{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.puts).toEqual([]);
  await screen.findByText(/^What you typed was not taken/);
  await pause();
  await user.keyboard('jp');
  expect(focusedRow()).not.toBe('c2');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await user.keyboard('{Escape}j');
  expect(screen.queryByText(/^What you typed was not taken/)).toBeNull();
  expect(focusedRow()).toBe('c2');
  await user.keyboard('p');
  await screen.findByRole('alertdialog');
});

test('after a dialog, the pointer and the arrow keys end the quiet at once', async () => {
  const { user } = await openQueue();
  await user.keyboard('p');
  pressEscape();
  await user.keyboard('jj{ArrowDown}j');
  expect(focusedRow()).toBe('c2');
  await user.keyboard('p');
  pressEscape();
  await user.pointer({ keys: '[MouseLeft]', target: document.body });
  await user.keyboard('j');
  expect(focusedRow()).toBe('c3');
});

test('letters after a p that cannot pay do not act on the claim', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jppaytm123456');
  expect(await screen.findByText(/is Pending and cannot become Paid/)).toBeTruthy();
  expect(screen.queryByRole('menu')).toBeNull();
  await pause();
  expect(state.puts).toEqual([]);
});

test('a reason that is typed blind is the reason, and what follows moves nothing', async () => {
  const state = serverMoves([claimOf(1), claimOf(2)]);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jraha');
  await armed();
  await user.keyboard('{Enter}aaphar');
  await waitFor(() => expect(focusedRow()).toBe('c2'));
  await user.keyboard('aaphar');
  expect(state.puts.map(({ id, body }) => [id, body.reason])).toEqual([['c1', 'aha']]);
});

test('a pasted line break does not confirm', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('p');
  await openedConfirm();
  await armed();
  await user.paste('SBIN123\n');
  await user.paste('\r\n');
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  expect(state.puts).toEqual([]);
});

test('a p that was lost as a dialog closed is no p, so the reference typed after a pause moves nothing', async () => {
  const { user, state } = await openQueue();
  for (const word of ['paytm070213', 'rtgs070213', 'hdfcn070213', 'ach070213', 'upi070213']) {
    await user.keyboard('p');
    await screen.findByRole('alertdialog');
    pressEscape();
    await user.keyboard('p');
    await pause();
    await user.keyboard(word);
    await pause();
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.keyboard('{Escape}j');
  }
  expect(state.puts).toEqual([]);
});

test('after a key that is no shortcut, a reference opens nothing, however long the pause', async () => {
  const { user, state } = await openQueue();
  for (const [key, word] of [
    ['0', 'paytm123'],
    ['P', 'hdfcn187480'],
    ['[[', 'rtgs369159'],
    ['न', 'ach123456'],
  ]) {
    await user.keyboard(`${key}`);
    await pause();
    await user.keyboard(`${word}{Enter}`);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await screen.findByText(/^What you typed was not taken/);
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/^What you typed was not taken/)).toBeNull();
  }
  expect(state.puts).toEqual([]);
});

test('letters that were lost while the answer was awaited do not open the next payment', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('pSBIN1');
  await openedConfirm();
  await armed();
  await user.keyboard('{Enter}p');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await pause();
  await user.keyboard('paytm123456');
  await pause();
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.puts.map(({ body }) => body.reference)).toEqual(['SBIN1']);
});

test('in a menu too, what is no item of it was meant for a field', async () => {
  const { user, state } = await openQueue();
  await user.keyboard('m');
  await screen.findByRole('menu');
  await user.keyboard('0');
  await pause();
  await user.keyboard('hdfc884296{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await screen.findByText(/^What you typed was not taken/);
  expect(state.puts).toEqual([]);
  await user.keyboard('{Escape}');
  expect(screen.getByRole('menu')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
});
