import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, retryUntil } from '../testing/openApp';
import { claims, qrCodes } from '../testing/sampleData';
import { refusal, server } from '../testing/server';

const sentence = 'The server is busy. Trying again…';

/** The server is busy until the returned function is called. */
function busyAt(path: string, answer: object) {
  let isBusy = true;
  const message = 'The server is busy with other requests of this kind.';
  server.use(
    http.get(path, () => (isBusy ? refusal(503, 'busy', message) : HttpResponse.json(answer))),
  );
  return () => {
    isBusy = false;
  };
}

/** What the screen says after the first refusal, long before the last attempt has failed. */
const busyNote = async () => {
  const note = (await screen.findByText(sentence)).closest<HTMLElement>('[role="status"]');
  if (!note) throw new Error('The sentence is not announced');
  return within(note);
};

test.each([
  ['/Withdraw', '*/api/claims/all', claims, 'Rahul Nair'],
  ['/QR', '*/api/qr', qrCodes, qrCodes[0]?.name ?? ''],
])('%s says that the server is busy, and offers a retry', async (path, url, rows, name) => {
  const recover = busyAt(url, rows);
  const { user } = openApp(path);
  await busyNote();
  recover();
  expect(await retryUntil(user, () => screen.getAllByText(name))).not.toEqual([]);
  expect(screen.queryByText(sentence)).toBeNull();
});

test.each([
  ['/client/u1', '*/api/clients/u1'],
  ['/Statement/6917e2f4a1b2c3d4e5000001', '*/api/clients/:id/statement'],
  ['/Receipt/C-10001', '*/api/claims/all'],
  ['/Withdraw/C-10001', '*/api/claims/:id/details'],
  ['/Settings', '*/api/policy'],
])('%s says that the server is busy before the last attempt', async (path, url) => {
  busyAt(url, []);
  openApp(path);
  expect((await busyNote()).getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('a search says that the server is busy while the rows of the last one stay', async () => {
  const { user } = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  const recover = busyAt('*/api/claims/all', []);
  await user.type(screen.getByRole('searchbox'), 'zzz');
  await busyNote();
  expect(screen.getByText('Rahul Nair')).toBeTruthy();
  recover();
  expect(await retryUntil(user, () => screen.getByText(/No claim matches/))).toBeTruthy();
});

test('Home and a short list say that the server is busy', async () => {
  busyAt('*/api/home', {});
  const { unmount } = openApp('/Home');
  expect((await busyNote()).getByRole('button', { name: 'Retry' })).toBeTruthy();
  unmount();
  const recover = busyAt('*/api/keys', []);
  const { user } = openApp('/Settings/Keys');
  await busyNote();
  recover();
  expect(await retryUntil(user, () => screen.getByText('No keys yet'))).toBeTruthy();
});
