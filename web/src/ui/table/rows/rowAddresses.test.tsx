import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, openRow } from '../../../testing/openApp';
import { purchases, qrCodes, users } from '../../../testing/sampleData';
import { server } from '../../../testing/server';

const goBack = () => act(async () => window.history.back());
const panel = (name: string) => screen.findByRole('dialog', { name });
const path = () => window.location.pathname + window.location.search;
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

const person = { _id: '6917e2f4a1b2c3d4e5000001', username: 'Meera Rao', mobile: '9878216267' };
const other = { ...purchases[0], _id: 'p2', number: 'P-10002', user: person };

/** Two rows in each list, which also answer for one number. */
function serveRows() {
  server.use(
    http.get('*/api/purchases/all', ({ request }) => {
      const number = new URL(request.url).searchParams.get('number');
      const all = [purchases[0], other];
      return HttpResponse.json(all.filter((one) => !number || one?.number === number));
    }),
    http.get('*/api/users', () =>
      HttpResponse.json([{ ...person, createdAt: '2026-09-22T10:12:00Z' }, ...users]),
    ),
  );
}

test.each([
  { list: '/Data', first: 'Rahul Nair', number: 'P-10001', next: 'Meera Rao', last: 'P-10002' },
  { list: '/Qr', first: 'Front desk', number: 'Q-10001', next: 'Branch two', last: 'Q-10002' },
])('the address in $list names the row while its panel is open', async (rows) => {
  serveRows();
  const { user } = openApp(`${rows.list}?sort=-name`);
  await openRow(user, rows.first);
  await panel(rows.first);
  expect(path()).toBe(`${rows.list}/${rows.number}?sort=-name`);
  await user.click(screen.getByRole('button', { name: /^Next / }));
  await panel(rows.next);
  expect(window.location.pathname).toBe(`${rows.list}/${rows.last}`);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'k' });
  await panel(rows.first);
  await goBack();
  await isClosed();
  expect(path()).toBe(`${rows.list}?sort=-name`);
});

test.each([
  ['/Data/p-10002', 'Meera Rao'],
  ['/QR/Q-10002', 'Branch two'],
  [`/reg/${person._id}`, 'Meera Rao'],
])('a link or a reload opens the panel: %s', async (address, name) => {
  serveRows();
  const { user } = openApp(address);
  await panel(name);
  expect(window.location.pathname.toLowerCase()).toBe(address.toLowerCase());
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(window.location.pathname).toBe(`/${address.split('/')[1]}`));
});

test.each([
  ['/Data/P-77777', 'There is no purchase P-77777, or it could not be loaded.'],
  ['/Qr/Q-77777', 'There is no QR code Q-77777. It may have been deleted.'],
])('a number that no row has is said, and the list stays: %s', async (address, sentence) => {
  serveRows();
  openApp(address);
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the panel of a purchase links to the purchases that its findings are about', async () => {
  const findings = [{ code: 'repeated' as const, sentence: 'Also on another purchase.' }];
  const marked = { ...purchases[0], findings };
  server.use(
    http.get('*/api/purchases/all', () => HttpResponse.json([marked, other])),
    http.get('*/api/purchases/p1/details', () =>
      HttpResponse.json({ purchase: marked, related: [other] }),
    ),
  );
  const { user } = openApp('/Data');
  await openRow(user, 'Rahul Nair');
  const first = within(await panel('Rahul Nair'));
  expect(first.getByText('P-10001')).toBeTruthy();
  await user.click(await first.findByRole('link', { name: 'P-10002' }));
  await panel('Meera Rao');
  expect(window.location.pathname).toBe('/Data/P-10002');
  await goBack();
  await isClosed();
  expect(window.location.pathname).toBe('/Data');
});

test('a client without a name reads No name, and opens like any other', async () => {
  const nameless = { ...other, user: { ...person, username: ' ' } };
  server.use(http.get('*/api/purchases/all', () => HttpResponse.json([nameless])));
  const { user } = openApp('/Data');
  const name = await screen.findByRole('link', { name: 'No name' });
  expect(name.getAttribute('href')).toBe(`/client/${person._id}`);
  await openRow(user, 'No name');
  await panel('No name');
});

test('a QR code is found by its number', async () => {
  openApp('/Qr?q=q-10002');
  expect(await screen.findByText('Branch two')).toBeTruthy();
  expect(screen.queryByText(qrCodes[0]?.name ?? '')).toBeNull();
});
