import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { heading, openApp } from '../../testing/openApp';
import { me } from '../../testing/sampleData';
import { refusal, server } from '../../testing/server';

const token = 'kq2Zt9bWc0pXy7Lr4uVnKq2Zt9bWc0pXy7Lr4uVnKq2';

afterEach(() => vi.unstubAllGlobals());

/** Answers the password with a challenge, and each second step with what `answer` returns. */
function serverAsks(needs: string, answer: () => Response) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/admin/login', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push(body);
      if ('challenge' in body) return answer();
      return refusal(401, 'second_factor_needed', 'Enter the code.', { challenge: token, needs });
    }),
  );
  return sent;
}

const success = () => HttpResponse.json({ token: 'fresh', ...me });

async function enterPassword() {
  const app = openApp('/', { token: null });
  await app.user.type(await screen.findByLabelText('Username'), 'asha');
  await app.user.type(screen.getByLabelText('Password'), 'secret');
  await app.user.click(screen.getByRole('button', { name: 'Login' }));
  return app;
}

const codeField = () => screen.findByLabelText(/^Code from your authenticator app/);
const alertLines = async () =>
  [...(await screen.findByRole('alert')).querySelectorAll('p')].map((line) => line.textContent);

/** A browser with a passkey, and what it was asked to sign. */
function browserHasPasskey() {
  const asked: CredentialRequestOptions[] = [];
  vi.stubGlobal('PublicKeyCredential', class {});
  const bytes = Uint8Array.from([1, 2, 255]).buffer;
  const get = async (options: CredentialRequestOptions) => {
    asked.push(options);
    const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes };
    return { id: 'AQL_', rawId: bytes, type: 'public-key', response };
  };
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  return asked;
}

test('after the password, the code finishes the login', async () => {
  const sent = serverAsks('totp recovery', success);
  const { user } = await enterPassword();
  const field = await codeField();
  expect(document.activeElement).toBe(field);
  expect(localStorage.getItem('token')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  await user.type(field, '492039{Enter}');
  expect(await heading('Client Data')).toBeTruthy();
  expect(localStorage.getItem('token')).toBe('fresh');
  expect(sent[1]).toEqual({ challenge: token, code: '492039' });
});

test('a refused code says so below the general error, and another can be entered', async () => {
  let tries = 0;
  const sentence = 'This was not accepted.';
  serverAsks('totp', () => {
    tries += 1;
    return tries === 1 ? refusal(401, 'factor_refused', sentence) : success();
  });
  const { user } = await enterPassword();
  await user.type(await codeField(), '000000{Enter}');
  expect(await alertLines()).toEqual(['Invalid username or password', sentence]);
  await user.type(await codeField(), '492039{Enter}');
  expect(await heading('Client Data')).toBeTruthy();
});

test('an expired challenge and Start again lead back to the password', async () => {
  serverAsks('totp', () => refusal(401, 'login_expired', 'This login took too long.'));
  const { user } = await enterPassword();
  await user.type(await codeField(), '492039{Enter}');
  expect(await alertLines()).toEqual(['Invalid username or password', 'This login took too long.']);
  await user.type(screen.getByLabelText('Username'), 'asha');
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
  await codeField();
  await user.click(screen.getByRole('button', { name: 'Start again' }));
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

test('a passkey signs the challenge of the second step', async () => {
  const sent = serverAsks('passkey', success);
  const asked = browserHasPasskey();
  const { user } = await enterPassword();
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  expect(await heading('Client Data')).toBeTruthy();
  expect(asked[0]?.publicKey?.userVerification).toBe('required');
  expect(new Uint8Array(asked[0]?.publicKey?.challenge as ArrayBuffer)).toHaveLength(32);
  const response = { clientDataJSON: 'AQL_', authenticatorData: 'AQL_', signature: 'AQL_' };
  const passkey = { id: 'AQL_', rawId: 'AQL_', type: 'public-key', response };
  expect(sent[1]).toEqual({ challenge: token, passkey });
});

test('a passkey alone logs in, and a closed question says that none was used', async () => {
  const sent = serverAsks('passkey', success);
  browserHasPasskey();
  const { user } = openApp('/', { token: null });
  const { get } = navigator.credentials;
  const closed = async () => {
    throw new DOMException('closed', 'NotAllowedError');
  };
  navigator.credentials.get = closed;
  const button = await screen.findByRole('button', { name: 'Use a passkey' });
  await user.click(button);
  expect((await alertLines())[1]).toBe('No passkey was used. Try again, or choose another way.');
  navigator.credentials.get = get;
  await user.click(button);
  expect(await heading('Client Data')).toBeTruthy();
  expect(sent[0]).toEqual({ begin: 'passkey' });
});

test('an admin who must set up a factor first lands on the account', async () => {
  server.use(
    http.post('*/api/admin/login', () =>
      HttpResponse.json({ token: 'fresh', ...me, mustEnrol: true }),
    ),
  );
  await enterPassword();
  expect(await heading('My account')).toBeTruthy();
});

test('an open session is led to the account when a factor becomes required', async () => {
  server.use(
    http.get('*/api/claims/all', () => refusal(403, 'factor_missing', 'Set one up first.')),
  );
  openApp('/Withdraw');
  expect(await heading('My account')).toBeTruthy();
  await waitFor(() => expect(window.location.pathname).toBe('/Settings/Account'));
});
