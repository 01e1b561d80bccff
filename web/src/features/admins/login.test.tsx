import { screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { getUsername } from '../../api/session';
import { heading, openApp } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';

async function logIn(token: string | null = null) {
  const app = openApp('/', { token });
  await app.user.type(await screen.findByLabelText('Username'), 'asha');
  await app.user.type(screen.getByLabelText('Password'), 'secret');
  await app.user.click(screen.getByRole('button', { name: 'Login' }));
  return app;
}

const alertLines = async () =>
  [...(await screen.findByRole('alert')).querySelectorAll('p')].map((line) => line.textContent);

test('login stores the token and goes to the client data', async () => {
  let sent: unknown;
  server.use(
    http.post('*/api/admin/login', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ token: 'fresh', username: 'asha' });
    }),
  );
  await logIn();
  expect(await heading('Client Data')).toBeTruthy();
  expect(window.location.pathname).toBe('/Data');
  expect(localStorage.getItem('token')).toBe('fresh');
  expect(getUsername()).toBe('asha');
  expect(sent).toEqual({ username: 'asha', password: 'secret' });
});

test('a wrong password shows an error and keeps what was typed', async () => {
  server.use(http.post('*/api/admin/login', () => refusal(401, 'login_failed', 'No.')));
  await logIn();
  expect(await alertLines()).toEqual(['Invalid username or password']);
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('asha');
  expect(localStorage.getItem('token')).toBeNull();
});

test('a throttled login also says how long to wait', async () => {
  const sentence = 'Too many attempts. Try again in 4 minutes.';
  server.use(http.post('*/api/admin/login', () => refusal(429, 'login_throttled', sentence)));
  await logIn();
  expect(await alertLines()).toEqual(['Invalid username or password', sentence]);
});

const unreachable = 'The server cannot be reached. Check your connection and try again.';
test.each([
  ['no answer', () => HttpResponse.error(), unreachable],
  ['a broken server', () => refusal(503, 'database_unavailable', 'Try soon.'), 'Try soon.'],
  [
    'a broken proxy',
    () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 }),
    'The server answered with an error (502).',
  ],
])(
  '%s adds the cause, and does not blame the connection when the server has answered',
  async (_, answer, sentence) => {
    server.use(http.post('*/api/admin/login', answer));
    await logIn();
    expect(await alertLines()).toEqual(['Invalid username or password', sentence]);
  },
);

test('any other refusal shows only the general error', async () => {
  server.use(http.post('*/api/admin/login', () => refusal(422, 'invalid_input', 'Too long.')));
  await logIn();
  expect(await alertLines()).toEqual(['Invalid username or password']);
});

test('a login in progress cannot be sent twice', async () => {
  let calls = 0;
  server.use(
    http.post('*/api/admin/login', async () => {
      calls += 1;
      await delay(100);
      return HttpResponse.json({ token: 'fresh', username: 'asha' });
    }),
  );
  const { user } = await logIn();
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Logging in…' });
  expect(button.disabled).toBe(true);
  await user.click(button);
  await heading('Client Data');
  expect(calls).toBe(1);
});

test('the password can be shown and hidden', async () => {
  const { user } = openApp('/', { token: null });
  const password = await screen.findByLabelText<HTMLInputElement>('Password');
  expect(password.type).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password.type).toBe('text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(password.type).toBe('password');
});

test('an admin who is already signed in sees the account name and can continue', async () => {
  const { user } = openApp('/');
  const link = await screen.findByRole('link', { name: 'continue' });
  expect(link.parentElement?.textContent).toBe('You are signed in as asha - continue');
  await user.click(link);
  expect(await heading('Client Data')).toBeTruthy();
});

test('continue returns to the screen that the admin came from', async () => {
  openApp('/reg');
  await heading('Registered Users');
  window.history.pushState(null, '', '/');
  expect((await screen.findByRole('link', { name: 'continue' })).getAttribute('href')).toBe('/reg');
});

test('a link that was opened before the login leads nobody after a logout', async () => {
  server.use(
    http.post('*/api/admin/login', () => HttpResponse.json({ token: 'fresh', username: 'asha' })),
  );
  const { user } = openApp('/Withdraw/C-10001', { token: null });
  for (const path of ['/Withdraw/C-10001', '/Data']) {
    await user.type(await screen.findByLabelText('Username'), 'asha');
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    const logout = await screen.findByRole('button', { name: 'Logout' });
    expect(window.location.pathname).toBe(path);
    await user.click(logout);
  }
});

test('an expired stored token does not prevent a login', async () => {
  server.use(http.get('*/api/admin/me', () => refusal(401, 'session_ended', 'Ended.')));
  openApp('/');
  await screen.findByText('Your session has ended. Please log in again.');
  await waitFor(() => expect(localStorage.getItem('token')).toBeNull());
  expect(screen.queryByText(/signed in/)).toBeNull();
});
