import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { heading, openApp, openedConfirm } from '../../testing/openApp';
import { server } from '../../testing/server';

const since = '2026-11-15T02:52:36.120Z';
const admins = [
  { _id: 'a1', username: 'asha', role: 'owner', state: 'active', since, lastSeenAt: since },
  { _id: 'a2', username: 'ravi', role: 'payer', state: 'active', since, lastSeenAt: null },
  { _id: null, username: 'meera', role: 'viewer', state: 'invited', since, lastSeenAt: null },
];

function serveAdmins() {
  const calls: [string, unknown][] = [];
  server.use(
    http.get('*/api/admins', () => HttpResponse.json(admins)),
    http.post('*/api/admins', async ({ request }) => {
      calls.push(['invite', await request.json()]);
      const link = '/Invite#secret';
      return HttpResponse.json({ username: 'tara', link, expiresAt: since }, { status: 201 });
    }),
    http.put('*/api/admins/a2/role', async ({ request }) => {
      calls.push(['role', await request.json()]);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/admins/a1/disable', () =>
      HttpResponse.json(
        { code: 'last_owner', message: 'asha is the last owner who may log in.' },
        { status: 409 },
      ),
    ),
  );
  return calls;
}

test('an owner invites somebody and gets the link once', async () => {
  const calls = serveAdmins();
  const { user } = openApp('/Settings/Admins');
  await screen.findByRole('row', { name: /meera.*Viewer.*invited/ });
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Make link' }));
  await dialog.findByText('Enter the name they will log in with.');
  await user.type(dialog.getByRole('textbox', { name: /Username/ }), 'tara');
  await user.click(dialog.getByRole('radio', { name: /Auditor/ }));
  await user.click(dialog.getByRole('button', { name: 'Make link' }));
  await screen.findByText(`${window.location.origin}/Invite#secret`);
  expect(calls).toEqual([['invite', { username: 'tara', role: 'auditor' }]]);
});

test('a role is changed after a question, and a refusal stays on the screen', async () => {
  const calls = serveAdmins();
  const { user } = openApp('/Settings/Admins');
  await user.click(await screen.findByRole('button', { name: 'More for ravi' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Make Reviewer…' }));
  await user.click(await screen.findByRole('button', { name: 'Make Reviewer' }));
  await expect.poll(() => calls).toEqual([['role', { role: 'reviewer' }]]);
  await user.click(await screen.findByRole('button', { name: 'More for asha' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Disable…' }));
  await user.click((await openedConfirm()).getByRole('button', { name: 'Disable' }));
  await screen.findByText('asha is the last owner who may log in.');
});

test('Escape in the menu of an admin returns the focus to its button', async () => {
  serveAdmins();
  const { user } = openApp('/Settings/Admins');
  const more = await screen.findByRole('button', { name: 'More for ravi' });
  await user.click(more);
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(more);
});

test('an auditor sees the admins and changes nothing', async () => {
  serveAdmins();
  openApp('/Settings/Admins', { permissions: ['own.use', 'admins.read'] });
  await screen.findByRole('row', { name: /ravi/ });
  expect(screen.queryByRole('button', { name: /More for|Invite/ })).toBeNull();
});

test('an invited admin sets a password without a session', async () => {
  let sent: unknown;
  server.use(
    http.post('*/api/invitations/open', () =>
      HttpResponse.json({ username: 'meera', role: 'viewer' }),
    ),
    http.post('*/api/invitations/accept', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ username: 'meera' }, { status: 201 });
    }),
  );
  const { user } = openApp('/Invite#secret', { token: null });
  await heading('Welcome');
  const password = await screen.findByLabelText('Password');
  await user.type(password, 'a long sentence');
  await user.type(screen.getByLabelText('Password again'), 'another one');
  await user.click(screen.getByRole('button', { name: 'Set password' }));
  await screen.findByText('The two passwords are not the same.');
  await user.clear(screen.getByLabelText('Password again'));
  await user.type(screen.getByLabelText('Password again'), 'a long sentence');
  await user.click(screen.getByRole('button', { name: 'Set password' }));
  await screen.findByRole('link', { name: 'Log in' });
  expect(sent).toEqual({ token: 'secret', password: 'a long sentence' });
});

test('a link that no longer works says what to do', async () => {
  const message = 'This link has been used. Ask an owner of the desk for a new one.';
  server.use(
    http.post('*/api/invitations/open', () =>
      HttpResponse.json({ code: 'invitation_gone', message }, { status: 410 }),
    ),
  );
  openApp('/Invite#old', { token: null });
  await screen.findByText(message);
  expect(screen.queryByLabelText('Password')).toBeNull();
});
