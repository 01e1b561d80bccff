import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ApiKey } from '../../entities/key/key';
import { heading, openApp, openedConfirm, retryUntil } from '../../testing/openApp';
import { refusal, refuseUntilRecovered, server } from '../../testing/server';
import { tryOutLines } from './tryOut';

const app: ApiKey = {
  _id: 'k1',
  name: 'app',
  prefix: 'ch_live_Zt9b',
  scopes: ['users:write', 'claims:write'],
  networks: [],
  state: 'active',
  createdAt: '2026-09-21T10:12:00Z',
  createdBy: 'asha',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
};
const secret = `ch_live_Zt9b${'a'.repeat(28)}`;

function serverHas(...keys: ApiKey[]) {
  const state = { keys, wishes: [] as Record<string, unknown>[] };
  server.use(
    http.get('*/api/keys', () => HttpResponse.json(state.keys)),
    http.post('*/api/keys', async ({ request }) => {
      const wish = (await request.json()) as Record<string, unknown>;
      state.wishes.push(wish);
      const shown = { ...app, ...wish, _id: 'k9' } as ApiKey;
      state.keys = [shown, ...state.keys];
      return HttpResponse.json({ key: secret, shown }, { status: 201 });
    }),
    http.post('*/api/keys/:id/revoke', ({ params }) => {
      const revoked = { state: 'revoked', revokedBy: 'asha', revokedAt: app.createdAt } as const;
      state.keys = state.keys.map((key) => (key._id === params.id ? { ...key, ...revoked } : key));
      return HttpResponse.json(state.keys[0]);
    }),
  );
  return state;
}

async function openKeys() {
  const opened = openApp('/Settings/Keys');
  await heading('Keys');
  return opened;
}

async function openNewKey() {
  const opened = await openKeys();
  await opened.user.click(await screen.findByRole('button', { name: 'New key' }));
  return { ...opened, dialog: within(await screen.findByRole('dialog', { name: 'New key' })) };
}

test('the pages of Settings link to each other, and the menu marks Settings', async () => {
  const { user } = await openKeys();
  const pages = within(screen.getByRole('navigation', { name: 'Pages' }));
  expect(pages.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Policy',
    'Admins',
    'My account',
    'Keys',
    'Webhooks',
    'Import',
  ]);
  expect(pages.getByRole('link', { current: 'page' }).textContent).toBe('Keys');
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const menu = within(await screen.findByRole('navigation', { name: 'Screens' }));
  const settings = menu.getByRole('link', { name: 'Settings' });
  expect(settings.getAttribute('aria-current')).toBe('true');
  await user.click(settings);
  expect(await heading('Settings')).toBeTruthy();
});

test('without keys the screen says what a key is good for', async () => {
  await openKeys();
  expect(await screen.findByText('No keys yet')).toBeTruthy();
  expect(screen.getByText(/a command that adds a first user/)).toBeTruthy();
});

test('each key is listed with its scopes, networks, last use, expiry and state', async () => {
  serverHas(
    { ...app, networks: ['203.0.113.0/24'], expiresAt: '2027-01-31T10:00:00Z' },
    {
      ...app,
      _id: 'k2',
      name: 'old',
      state: 'revoked',
      revokedBy: 'ravi',
      revokedAt: app.createdAt,
    },
  );
  await openKeys();
  const [, first, second] = await screen.findAllByRole('row');
  expect(first?.textContent).toContain('appch_live_Zt9b…users:write, claims:write');
  expect(first?.textContent).toContain('Only from 203.0.113.0/24');
  expect(first?.textContent).toContain('31 Jan 2027');
  expect(second?.textContent).toContain('revokedby ravi');
  expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1);
});

test('a key works until the end of its last day at the desk', async () => {
  const state = serverHas();
  const { user, dialog } = await openNewKey();
  await user.type(dialog.getByLabelText('Name'), 'my app');
  await user.click(dialog.getByRole('checkbox', { name: /^read/ }));
  fireEvent.change(dialog.getByLabelText(/^Expires after/), { target: { value: '2027-01-31' } });
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  await screen.findByRole('dialog', { name: 'The key “my app”' });
  // Midnight in India, wherever the browser is.
  expect(state.wishes[0]).toMatchObject({ expiresAt: '2027-01-31T18:29:59.999Z' });
});

test('a new key is shown once, with commands that use it', async () => {
  const state = serverHas();
  const { user, dialog } = await openNewKey();
  await user.type(dialog.getByLabelText('Name'), 'my app');
  for (const scope of ['users:write', 'purchases:write', 'claims:write']) {
    await user.click(dialog.getByRole('checkbox', { name: new RegExp(`^${scope}`) }));
  }
  await user.type(dialog.getByLabelText(/^Allowed networks/), '203.0.113.7, 10.0.0.0/8');
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  const made = within(await screen.findByRole('dialog', { name: 'The key “my app”' }));
  expect(state.wishes).toEqual([
    {
      name: 'my app',
      scopes: ['users:write', 'purchases:write', 'claims:write'],
      networks: ['203.0.113.7', '10.0.0.0/8'],
      expiresAt: null,
    },
  ]);
  // A second Enter must not close it.
  expect(document.activeElement?.textContent).toBe(secret);
  expect(made.getByRole('button', { name: 'Copy key' })).toBeTruthy();
  const commands = made.getAllByText(/^curl /).map((line) => line.textContent ?? '');
  expect(commands.map((line) => /intake\/\w+/.exec(line)?.[0])).toEqual([
    'intake/users',
    'intake/purchases',
    'intake/claims',
  ]);
  expect(commands.every((line) => line.includes(`Bearer ${secret}`))).toBe(true);
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.getByRole('dialog')).toBeTruthy();
  await user.click(made.getByRole('button', { name: 'I have stored it' }));
  expect(await screen.findByText('my app')).toBeTruthy();
  expect(document.body.textContent).not.toContain(secret);
});

test('a name and a scope are required', async () => {
  const state = serverHas();
  const { user, dialog } = await openNewKey();
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Enter the name of the program that will use it.',
    'Choose at least one.',
  ]);
  expect(state.wishes).toEqual([]);
});

test('an error of the server appears at its field, and names the network as it was typed', async () => {
  server.use(
    http.post('*/api/keys', () =>
      refusal(422, 'invalid', 'Some fields are wrong.', {
        'networks.1': 'networks.1 must be an address or a network.',
      }),
    ),
  );
  const { user, dialog } = await openNewKey();
  await user.type(dialog.getByLabelText('Name'), 'app');
  await user.click(dialog.getByRole('checkbox', { name: /^read/ }));
  await user.type(dialog.getByLabelText(/^Allowed networks/), '10.0.0.0/8 10.0.0.300');
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toBe('“10.0.0.300” must be an address or a network.');
});

test('a lost answer says that the key may exist', async () => {
  server.use(http.post('*/api/keys', () => HttpResponse.error()));
  const { user, dialog } = await openNewKey();
  await user.type(dialog.getByLabelText('Name'), 'app');
  await user.click(dialog.getByRole('checkbox', { name: /^read/ }));
  await user.click(dialog.getByRole('button', { name: 'Make key' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('revoke it and make another');
});

test('a key is revoked after a question', async () => {
  const state = serverHas(app);
  const { user } = await openKeys();
  await user.click(await screen.findByRole('button', { name: 'Revoke app' }));
  const confirm = await openedConfirm();
  expect(state.keys[0]?.state).toBe('active');
  await user.click(confirm.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(await screen.findByText('revoked')).toBeTruthy();
});

test('a list that cannot be loaded says so and can be loaded again', async () => {
  const recover = refuseUntilRecovered('*/api/keys', 'Not for you.');
  const { user } = await openKeys();
  expect(await screen.findByText('The keys could not be loaded.')).toBeTruthy();
  recover();
  expect(await retryUntil(user, () => screen.getByText('No keys yet'))).toBeTruthy();
});

test('only commands that the key may run are offered', () => {
  const names = (...scopes: ApiKey['scopes']) =>
    tryOutLines('https://desk.test', secret, scopes).map(({ name }) => name);
  expect(names('users:write')).toEqual(['user']);
  expect(names('users:write', 'claims:write')).toEqual(['user']);
  expect(names('read')).toEqual(['users']);
  expect(names('claims:write')).toEqual([]);
  expect(names('claims:write', 'read')).toEqual(['users']);
});
