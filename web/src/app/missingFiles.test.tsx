import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { serverBatches } from '../testing/batchServer';
import { server } from '../testing/server';

const files = {
  history: '../features/qr/history/QrHistory',
  period: '../features/papers/StatementPeriod',
  later: './later/afterFirstRows',
};
const notLoaded = 'This part could not be loaded. Reload the page.';

afterEach(() => {
  for (const file of Object.values(files)) vi.doUnmock(file);
  vi.resetModules();
});

/** Opens the app without one of its files, as after a release that has replaced it. */
async function openWithout(file: string, path: string) {
  vi.resetModules();
  vi.doMock(file, () => {
    throw new Error('The file is gone');
  });
  const { openApp } = await import('../testing/openApp');
  return openApp(path);
}

test('the QR screen works without the file of the history', async () => {
  const { user } = await openWithout(files.history, '/Qr');
  await screen.findByText('Branch two');
  await user.click(screen.getByRole('button', { name: 'History' }));
  expect(await screen.findByText(notLoaded)).toBeTruthy();
  expect(screen.getByText('Branch two')).toBeTruthy();
});

test('a statement is shown without the file of its period', async () => {
  const statement = {
    user: { _id: 'u1', username: 'Ananya Iyer', mobile: '••••6092' },
    firstDay: '2026-11-01',
    lastDay: '2026-11-30',
    timeZone: 'Asia/Kolkata',
    at: '2026-12-01T02:52:36.120Z',
    purchases: { amount: 0, items: [] },
    paid: { amount: 0, items: [] },
    open: { amount: 0, items: [] },
  };
  server.use(http.get('*/api/clients/:id/statement', () => HttpResponse.json(statement)));
  await openWithout(
    files.period,
    '/Statement/6917e2f4a1b2c3d4e5000001?from=2026-11-01&to=2026-11-30',
  );
  await screen.findByText('The period cannot be changed now. Reload the page.');
  await screen.findByRole('heading', { name: 'Statement of Ananya Iyer' });
});

test('the claims stay without the file of the batches, and none is moved', async () => {
  const state = serverBatches();
  const { user } = await openWithout(files.later, '/Withdraw');
  await screen.findByText('Rahul Nair');
  await user.click(screen.getByRole('checkbox', { name: 'Select Rahul Nair' }));
  await user.click(await screen.findByRole('button', { name: 'Accept…' }));
  expect(await screen.findByText(notLoaded)).toBeTruthy();
  expect(screen.getByText('Rahul Nair')).toBeTruthy();
  expect(state.ran).toEqual([]);
  // The selection is kept, and can be tried again.
  await waitFor(() => expect(screen.queryByText(notLoaded)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Accept…' }));
  expect(await screen.findByText(notLoaded)).toBeTruthy();
});
