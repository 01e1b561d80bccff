import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../entities/webhook/webhook';
import { heading, openApp, openedConfirm } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';
import { at, failing, secret, serverHas, shop } from '../../testing/webhookServer';
import { conditionOf } from './webhookTexts';

async function openWebhooks() {
  const opened = openApp('/Settings/Webhooks');
  await heading('Webhooks');
  return opened;
}

async function choose(item: string) {
  const opened = await openWebhooks();
  await opened.user.click(await screen.findByRole('button', { name: `More for ${shop.url}` }));
  await opened.user.click(await screen.findByRole('menuitem', { name: item }));
  return opened;
}

test('an endpoint is listed with its events, state and last delivery', async () => {
  serverHas(shop);
  await openWebhooks();
  const [, row] = await screen.findAllByRole('row');
  expect(row?.textContent).toContain(shop.url);
  expect(row?.textContent).toContain('claim.paid, claim.returned');
  expect(row?.textContent).toContain('Enabled');
  expect(row?.textContent).toContain('claim.paid, delivered');
});

test('Escape in the menu of a webhook returns the focus to its button', async () => {
  serverHas(shop);
  const { user } = await openWebhooks();
  const more = await screen.findByRole('button', { name: `More for ${shop.url}` });
  await user.click(more);
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(more);
});

test('the state says why nothing is delivered', () => {
  expect(conditionOf(failing)).toMatchObject({ word: 'Failing' });
  expect(conditionOf(failing).notes.join(' ')).toContain('3 events waiting.');
  const gone = { ...failing, isEnabled: false, disabledAt: at, disabledWhy: 'It answered 410.' };
  expect(conditionOf(gone)).toMatchObject({ word: 'Disabled', tone: 'back' });
  expect(conditionOf(gone).notes).toContain('It answered 410.');
  const paused = { ...shop, pausedUntil: '2026-09-21T11:00:00Z' };
  expect(conditionOf(paused, Date.parse(at)).word).toBe('Paused');
  expect(conditionOf(paused, Date.parse('2026-09-21T12:00:00Z')).word).toBe('Enabled');
});

test('a failing webhook shows on every screen, in the menu and in the tabs', async () => {
  serverHas(failing);
  const { user } = openApp('/Settings');
  await heading('Settings');
  // It is read ten seconds after the rest.
  const menu = await screen.findByRole(
    'button',
    { name: 'Menu. A webhook is failing.' },
    { timeout: 20_000 },
  );
  const pages = within(screen.getByRole('navigation', { name: 'Pages' }));
  expect(pages.getByRole('link', { name: 'Webhooks A webhook is failing.' })).toBeTruthy();
  await user.click(menu);
  const screens = within(await screen.findByRole('navigation', { name: 'Screens' }));
  expect(screens.getByRole('link', { name: 'Settings A webhook is failing.' })).toBeTruthy();
});

test('adding one shows its secret once', async () => {
  const calls = serverHas();
  const { user } = await openWebhooks();
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.type(dialog.getByLabelText('Address'), shop.url);
  // All events are chosen at first, except the one that comes every minute.
  expect(dialog.getAllByRole('checkbox', { checked: true })).toHaveLength(10);
  const checkpoints = dialog.getByRole('checkbox', { name: /^audit.checkpoint/ });
  expect((checkpoints as HTMLInputElement).checked).toBe(false);
  await user.click(dialog.getByRole('checkbox', { name: /^qr.hidden/ }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  const made = within(await screen.findByRole('dialog', { name: 'The secret of this webhook' }));
  expect(made.getByText(secret)).toBeTruthy();
  const [[call, body] = []] = calls;
  expect(call).toBe('POST ');
  expect(body).toMatchObject({ url: shop.url });
  expect((body as Endpoint).events).not.toContain('qr.hidden');
  await user.click(made.getByRole('button', { name: 'I have stored it' }));
  expect(document.body.textContent).not.toContain(secret);
});

test('an address that the server refuses is explained at its field', async () => {
  serverHas();
  const sentence = 'The address leads to 10.0.0.1, which is not on the internet.';
  server.use(http.post('*/api/webhooks', () => refusal(422, 'invalid', 'x', { url: sentence })));
  const { user } = await openWebhooks();
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(dialog.getByRole('alert').textContent).toBe('Enter the address of your receiver.');
  await user.type(dialog.getByLabelText('Address'), 'http://10.0.0.1/');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText(sentence)).toBeTruthy();
});

test('one can be changed', async () => {
  const calls = serverHas(shop);
  const { user } = await choose('Change…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change webhook' }));
  await user.type(dialog.getByLabelText('Address'), '/2');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { url, events } = shop;
  const before = { url, events, isEnabled: true };
  expect(calls).toEqual([['PUT /w1', { ...before, url: `${url}/2`, before }]]);
});

test.each([
  ['Disable…', 'Disable', 'PUT /w1'],
  ['Remove…', 'Remove', 'DELETE /w1'],
])('%s asks first', async (item, label, call) => {
  const calls = serverHas(shop);
  const { user } = await choose(item);
  const confirm = await openedConfirm();
  expect(calls).toEqual([]);
  await user.click(confirm.getByRole('button', { name: label }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(calls.map(([made]) => made)).toEqual([call]);
});

test('a new secret is shown once, after a question', async () => {
  serverHas(shop);
  const { user } = await choose('New secret…');
  await user.click((await openedConfirm()).getByRole('button', { name: 'Make new secret' }));
  expect(await screen.findByText(secret)).toBeTruthy();
});

test('a second new secret within a day says what it ends', async () => {
  const previousSecretUntil = new Date(Date.now() + 3_600_000).toISOString();
  const calls = serverHas({ ...shop, previousSecretUntil });
  const { user } = await choose('New secret…');
  const confirm = await openedConfirm();
  expect(confirm.getByText(/the secret before it stops signing at once/)).toBeTruthy();
  await user.click(confirm.getByRole('button', { name: 'Make new secret' }));
  expect(await screen.findByText(secret)).toBeTruthy();
  expect(calls).toEqual([['POST /w1/secret?endPrevious=true', '']]);
});
