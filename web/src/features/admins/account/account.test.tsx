import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { Schemas } from '../../../api/client';
import { enter, heading, openApp, openedConfirm } from '../../../testing/openApp';
import { account, ownSessions } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const done = () => new HttpResponse(null, { status: 204 });

function serverHas(change: Partial<Schemas['Account']> = {}) {
  const state = {
    account: { ...account, ...change },
    sessions: [...ownSessions],
    sent: [] as unknown[],
  };
  server.use(
    http.get('*/api/admin/account', () => HttpResponse.json(state.account)),
    http.get('*/api/admin/account/sessions', () => HttpResponse.json(state.sessions)),
    http.put('*/api/admin/account/password', async ({ request }) => {
      state.sent.push(await request.json());
      return done();
    }),
    http.post('*/api/admin/account/totp', () =>
      HttpResponse.json({ secret: 'JBSWY3DP', link: 'otpauth://totp/x', qr: '<svg></svg>' }),
    ),
    http.post('*/api/admin/account/totp/confirm', async ({ request }) => {
      state.sent.push(await request.json());
      state.account = { ...state.account, hasTotp: true, recoveryCodesLeft: 2 };
      return HttpResponse.json({ recoveryCodes: ['abcd-efgh', 'ijkm-npqr'] });
    }),
    http.delete('*/api/admin/account/sessions/:id', ({ params }) => {
      state.sessions = state.sessions.filter(({ _id }) => _id !== params.id);
      return done();
    }),
  );
  return state;
}

async function openAccount() {
  const app = openApp('/Settings/Account');
  await heading('My account');
  return app;
}
const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('the password is changed after the new one was typed twice', async () => {
  const state = serverHas();
  const { user } = await openAccount();
  await user.click(screen.getByRole('button', { name: 'Change password…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }));
  await user.type(dialog.getByLabelText('Current password'), 'old sentence');
  await user.type(dialog.getByLabelText('New password'), 'a new sentence');
  await enter(user, dialog.getByLabelText('New password again'), 'a new sentenc');
  expect((await dialog.findByRole('alert')).textContent).toContain('differ');
  await enter(user, dialog.getByLabelText('New password again'), 'e');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(state.sent).toEqual([{ current: 'old sentence', new: 'a new sentence' }]);
});

test('a wrong current password is said in the dialog', async () => {
  serverHas();
  const fields = { current: 'This is not your current password.' };
  server.use(
    http.put('*/api/admin/account/password', () => refusal(422, 'invalid_input', 'x', fields)),
  );
  const { user } = await openAccount();
  await user.click(screen.getByRole('button', { name: 'Change password…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Current password'), 'wrong');
  await user.type(dialog.getByLabelText('New password'), 'a new sentence');
  await enter(user, dialog.getByLabelText('New password again'), 'a new sentence');
  expect((await dialog.findByRole('alert')).textContent).toBe(fields.current);
});

test('an authenticator app is set up by password, QR code and first code; recovery codes follow', async () => {
  const state = serverHas({ isFactorRequired: true });
  const { user } = await openAccount();
  expect(await screen.findByText('This desk requires a second factor.')).toBeTruthy();
  const app = await section('Authenticator app');
  await user.click(app.getByRole('button', { name: 'Set up…' }));
  await enter(user, await screen.findByLabelText('Your password'), 'secret');
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Scan this with your authenticator app' }),
  );
  const picture = await dialog.findByRole('img', { name: 'QR code for the authenticator app' });
  expect(picture.getAttribute('src')).toMatch(/^blob:/);
  expect(dialog.getByText('JBSWY3DP')).toBeTruthy();
  await enter(user, dialog.getByLabelText('The code that the app shows now'), '492039');
  const codes = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }));
  const listed = codes.getAllByRole('listitem').map((item) => item.textContent);
  expect(listed).toEqual(['abcd-efgh', 'ijkm-npqr']);
  await user.click(codes.getByRole('button', { name: 'I have stored them' }));
  expect(await app.findByText('On')).toBeTruthy();
  expect((await section('Recovery codes')).getByText('2 left')).toBeTruthy();
  expect(screen.queryByText('This desk requires a second factor.')).toBeNull();
  expect(state.sent).toEqual([{ code: '492039' }]);
});

test('recovery codes are copied or saved, and only their button closes them', async () => {
  serverHas({ hasTotp: true });
  server.use(
    http.post('*/api/admin/account/recovery-codes', () =>
      HttpResponse.json({ recoveryCodes: ['abcd-efgh', 'ijkm-npqr'] }),
    ),
  );
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    files.push(blob as Blob);
    return 'blob:saved';
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} from ${this.href}`);
  });
  const { user } = await openAccount();
  const recovery = await section('Recovery codes');
  await user.click(recovery.getByRole('button', { name: 'Make new codes…' }));
  await user.click(await screen.findByRole('button', { name: 'Make new codes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your recovery codes' });
  const codes = within(dialog);

  // Escape, and Back on a phone: the codes could never be shown again.
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  fireEvent.click(dialog);
  expect(screen.getByRole('dialog', { name: 'Your recovery codes' })).toBe(dialog);

  await user.click(codes.getByRole('button', { name: 'Copy all' }));
  expect(await navigator.clipboard.readText()).toBe('abcd-efgh\nijkm-npqr\n');
  expect(await codes.findByText('Copied')).toBeTruthy();
  await user.click(codes.getByRole('button', { name: 'Download' }));
  expect(saved).toEqual(['countinghouse-recovery-codes.txt from blob:saved']);
  expect(await files[0]?.text()).toContain('abcd-efgh\nijkm-npqr\n');

  await user.click(codes.getByRole('button', { name: 'I have stored them' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the browser of a session is said in words, with what it sent as the title', async () => {
  const sent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
  serverHas().sessions = ownSessions.map((session) => ({ ...session, device: sent }));
  await openAccount();
  const [browser] = await (await section('Sessions')).findAllByText('Firefox on Linux');
  expect(browser?.title).toBe(sent);
});

test('another session is ended, and the current one has no button', async () => {
  serverHas();
  const { user } = await openAccount();
  const sessions = await section('Sessions');
  expect(await sessions.findByText('This session')).toBeTruthy();
  expect(sessions.getAllByRole('button', { name: /^End the session/ })).toHaveLength(1);
  await user.click(sessions.getByRole('button', { name: 'End the session from 198.51.100.7' }));
  await user.click((await openedConfirm()).getByRole('button', { name: 'End' }));
  await waitFor(() => expect(sessions.queryByText('198.51.100.7')).toBeNull());
});

test('what the admin did last is shown in words', async () => {
  serverHas();
  const moved: Schemas['AuditEntry'] = {
    _id: '10482',
    createdAt: '2026-11-15T02:52:36.120Z',
    actor: 'asha',
    address: '203.0.113.9',
    verb: 'claim.moved',
    label: 'Moved a claim',
    subjectId: '6917e2f4a1b2c3d4e5000003',
    number: 'C-10001',
    before: { status: 'Pending', version: 0 },
    after: { status: 'Accepted', version: 1 },
  };
  const refused = {
    ...moved,
    _id: '10481',
    verb: 'session.factor_refused',
    label: 'Gave a second factor that was refused',
    after: null,
  };
  server.use(http.get('*/api/admin/account/activity', () => HttpResponse.json([moved, refused])));
  await openAccount();
  const activity = within(await (await section('Recent activity')).findByRole('table'));
  const [, first, second] = activity.getAllByRole('row');
  expect(first?.textContent).toContain('Moved a claim: Accepted');
  expect(first?.textContent).toContain('203.0.113.9');
  expect(second?.textContent).toContain('Gave a second factor that was refused');
});

test('an account that cannot be loaded says so, and the sessions are shown', async () => {
  serverHas();
  server.use(http.get('*/api/admin/account', () => refusal(403, 'forbidden', 'Not now.')));
  await openAccount();
  expect(await screen.findByText('Your account could not be loaded.')).toBeTruthy();
  expect(await (await section('Sessions')).findByText('This session')).toBeTruthy();
});
