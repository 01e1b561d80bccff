import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { endSession, getUsername, startSession } from '../api/session';
import { heading, openApp } from '../testing/openApp';
import { users } from '../testing/sampleData';
import { refusal, server } from '../testing/server';

const ended = 'Your session has ended. Please log in again.';

test('a 401 removes the token and the cached data, shows a message, and login returns to the same screen', async () => {
  server.use(
    http.get('*/api/claims/all', () => refusal(401, 'session_ended', 'Ended.'), { once: true }),
  );
  const { user, queryClient } = openApp('/Withdraw');
  expect((await screen.findByRole('alert')).textContent).toBe(ended);
  expect(localStorage.getItem('token')).toBeNull();
  expect(window.location.pathname).toBe('/');
  expect(queryClient.getQueryCache().getAll()).toEqual([]);

  await user.type(screen.getByLabelText('Username'), 'asha');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(await heading('All Claim Requests')).toBeTruthy();
  expect(localStorage.getItem('token')).toBe('fresh');
});

test('a request that gets a 401 is not retried', async () => {
  let calls = 0;
  server.use(
    http.get('*/api/users', () => {
      calls += 1;
      return refusal(401, 'session_ended', 'Ended.');
    }),
  );
  openApp('/reg');
  await screen.findByText(ended);
  expect(calls).toBe(1);
});

test('a late 401 for an older token does not end the current session', async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/api/users', async () => {
      await held;
      return refusal(401, 'session_ended', 'Ended.');
    }),
  );
  openApp('/reg');
  await heading('Registered Users');
  server.use(http.get('*/api/users', () => HttpResponse.json(users)));
  act(() => startSession('newer'));
  answer();
  await screen.findByText('Rahul Nair');
  expect(localStorage.getItem('token')).toBe('newer');
});

test('every request carries the token', async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.get('*/api/qr', ({ request }) => {
      seen.push(request.headers.get('Authorization'));
      return HttpResponse.json([]);
    }),
    http.get('*/api/users', ({ request }) => {
      seen.push(request.headers.get('Authorization'));
      return HttpResponse.json([]);
    }),
  );
  openApp('/Qr', { token: 'stored' }).unmount();
  openApp('/reg');
  await waitFor(() => expect(seen).toContain('Bearer stored'));
  expect(new Set(seen)).toEqual(new Set(['Bearer stored']));
});

test('Logout notifies the server, removes the token and the cached data, and shows the login', async () => {
  let revoked: string | null = null;
  server.use(
    http.post('*/api/admin/logout', ({ request }) => {
      revoked = request.headers.get('Authorization');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, queryClient } = openApp('/reg', { token: 'stored' });
  await screen.findByText('Rahul Nair');
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await heading('Login')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
  expect(queryClient.getQueriesData({}).filter(([, data]) => data !== undefined)).toEqual([]);
  await waitFor(() => expect(revoked).toBe('Bearer stored'));
});

test('Logout works even if the server is unreachable', async () => {
  server.use(http.post('*/api/admin/logout', () => HttpResponse.error()));
  const { user } = openApp('/reg');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await heading('Login')).toBeTruthy();
  expect(localStorage.getItem('token')).toBeNull();
});

test('a logout in another tab also logs out this tab', async () => {
  openApp('/reg');
  await screen.findByText('Rahul Nair');
  localStorage.removeItem('token');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  expect(await heading('Login')).toBeTruthy();
});

/** Runs a session change as another tab would: with the same storage, but none of this tab's memory. */
async function inAnotherTab(act: (session: typeof import('../api/session')) => void) {
  const mine = sessionStorage.getItem('session-ended-at');
  vi.resetModules();
  act(await import('../api/session'));
  sessionStorage.removeItem('session-ended-at');
  if (mine !== null) sessionStorage.setItem('session-ended-at', mine);
}
const hearOfIt = () =>
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })));

test('a session that ended in another tab is reported here too, and login returns to this screen', async () => {
  const { user } = openApp('/reg');
  await screen.findByText('Rahul Nair');
  await inAnotherTab((session) => session.expireSession());
  hearOfIt();
  expect((await screen.findByRole('alert')).textContent).toBe(ended);
  await user.type(screen.getByLabelText('Username'), 'asha');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(await heading('Registered Users')).toBeTruthy();
});

test('after the session ended, a login in another tab lets this tab continue where it was', async () => {
  openApp('/reg');
  await screen.findByText('Rahul Nair');
  await inAnotherTab((session) => session.expireSession());
  hearOfIt();
  await screen.findByText(ended);
  await inAnotherTab((session) => session.startSession('fresh'));
  hearOfIt();
  const link = await screen.findByRole('link', { name: 'continue' });
  expect(link.getAttribute('href')).toBe('/reg');
});

test('a logout in another tab is not reported as an ended session, even if one ended before', async () => {
  openApp('/reg');
  await screen.findByText('Rahul Nair');
  await inAnotherTab((session) => session.expireSession());
  await inAnotherTab((session) => session.startSession('fresh'));
  await inAnotherTab((session) => session.endSession());
  hearOfIt();
  await heading('Login');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the name from the login is kept with its token, in all tabs, and belongs to no other token', async () => {
  startSession('stored', 'asha');
  expect(getUsername()).toBe('asha');
  await inAnotherTab((session) => session.startSession('fresh', 'ravi'));
  expect(getUsername()).toBe('ravi');
  localStorage.setItem('token', 'stored by other means');
  expect(getUsername()).toBeNull();
  startSession('stored', 'asha');
  endSession();
  expect(Object.keys(localStorage)).toEqual([]);
});
