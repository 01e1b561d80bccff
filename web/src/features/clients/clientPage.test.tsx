import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Schemas } from '../../api/client';
import { heading, openApp, openRow, retryUntil } from '../../testing/openApp';
import { detailsOf, paid, pending } from '../../testing/sampleData';
import { refusal, refuseUntilRecovered, server } from '../../testing/server';
import { formatDay, formatMoment } from '../../ui/text/dates';

type Client = Schemas['Client'];

const repeated = [{ code: 'repeated' as const, sentence: 'Another purchase has this ID.' }];
const at = '2026-09-22T07:00:00Z';
const rahul: Client = {
  user: { ...pending.user, createdAt: at },
  mobileNote: 'Not an Indian mobile number.',
  totals: { invested: 5000, earned: 3000, paid: 1000, inFlight: 2500.5, claimable: -500.5 },
  purchases: {
    count: 31,
    items: detailsOf(pending).purchases.items.map((one) => ({ ...one, findings: repeated })),
  },
  claims: { count: 2, items: [pending, paid] },
  accounts: [
    {
      accountNo: '00123456789',
      accountNote: 'No bank has account numbers of 11 zeros.',
      ifsc: 'HDFC0001234',
      bank: { name: 'HDFC Bank', note: 'No branch has this code.' },
      claims: 2,
      paidAmount: 12,
      firstUsedAt: '2026-08-01T07:00:00Z',
      lastUsedAt: at,
      sharedWith: 3,
    },
  ],
  notes: [{ _id: 'n1', text: 'Called on Monday.', by: 'ravi', at }],
};
const nothing: Client = {
  ...rahul,
  totals: { invested: 0, earned: 0, paid: 0, inFlight: 0, claimable: 0 },
  purchases: { count: 0, items: [] },
  claims: { count: 0, items: [] },
  accounts: [],
  notes: [],
};

const serverHas = (client: Client) =>
  server.use(http.get('*/api/clients/u1', () => HttpResponse.json(client)));
/** Its heading may end with the number of entries, as in “Purchases, 4”. */
const section = async (name: string) =>
  within(await screen.findByRole('region', { name: new RegExp(`^${name}(, \\d+)?`) }));

test('the page shows the client, the totals, the claims, the purchases, the accounts and the notes', async () => {
  serverHas(rahul);
  openApp('/client/u1');
  await heading('Rahul Nair');
  expect(document.title).toBe('Rahul Nair · Countinghouse');
  expect(screen.getByText('09805756092')).toBeTruthy();
  expect(screen.getByText(`Registered ${formatDay(at)}`)).toBeTruthy();
  const statement = screen.getByRole('link', { name: 'Statement' });
  expect(statement.getAttribute('href')).toBe('/Statement/u1');
  expect(screen.getByLabelText('Totals').textContent).toBe(
    'Invested₹5,000.00Earned to date₹3,000.00Paid out₹1,000.00In open claims₹2,500.50Available to withdraw−₹500.50',
  );
  const claims = await section('Claims');
  expect(claims.getByText('Pending')).toBeTruthy();
  const [, one] = claims.getAllByRole('link');
  expect(one?.getAttribute('href')).toBe('/Withdraw/C-10001');
  const bought = await section('Purchases');
  expect(bought.getByText('31, the newest 1')).toBeTruthy();
  expect(bought.getByText('₹150.00/day · Daily · ₹3,000.00 earned in 20 days')).toBeTruthy();
  const accounts = await section('Bank accounts');
  expect(accounts.getByText('Shared with 3 others')).toBeTruthy();
  expect(accounts.getByText('HDFC Bank')).toBeTruthy();
  const notes = await section('Notes');
  expect(notes.getByText(`ravi, ${formatMoment(at)}`)).toBeTruthy();
});

test('problems with the number, the account, its bank code and a purchase are shown', async () => {
  serverHas(rahul);
  openApp('/client/u1');
  expect(await screen.findByText('Not an Indian mobile number.')).toBeTruthy();
  const accounts = await section('Bank accounts');
  expect(accounts.getByText('No branch has this code.')).toBeTruthy();
  expect(accounts.getByText('No bank has account numbers of 11 zeros.')).toBeTruthy();
  const bought = await section('Purchases');
  act(() => bought.getByRole('button', { name: '1 finding' }).focus());
  expect(bought.getByRole('tooltip').textContent).toBe('Another purchase has this ID.');
});

test('a client without any records shows a message in each section', async () => {
  serverHas(nothing);
  openApp('/client/u1');
  expect(await screen.findByText('No claims yet.')).toBeTruthy();
  expect(screen.getByText('No purchases yet.')).toBeTruthy();
  expect(screen.getByText(/^No account yet/)).toBeTruthy();
  expect(screen.getByText('No notes yet.')).toBeTruthy();
});

test('a note is saved once and shown at the top; the form says that it cannot be changed or deleted', async () => {
  serverHas(rahul);
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/clients/u1/notes', async ({ request }) => {
      const body = (await request.json()) as { text: string };
      sent.push(body);
      return HttpResponse.json({ _id: 'n2', ...body, by: 'asha', at }, { status: 201 });
    }),
  );
  const { user } = openApp('/client/u1');
  const notes = await section('Notes');
  const field = await notes.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
  expect(notes.getByText(/A saved note cannot be changed or deleted\./)).toBeTruthy();
  await user.click(notes.getByRole('button', { name: 'Add note' }));
  expect(notes.getByRole('alert').textContent).toBe('Enter a note.');
  await user.type(field, '  The account is his wife’s. ');
  await user.click(notes.getByRole('button', { name: 'Add note' }));
  expect(await notes.findByText('The account is his wife’s.')).toBeTruthy();
  expect(notes.getAllByRole('listitem')[0]?.textContent).toContain('asha');
  expect(field.value).toBe('');
  expect(sent).toEqual([{ text: 'The account is his wife’s.' }]);
});

test('after a lost response the text of the note stays, and the notes are refetched', async () => {
  let saved = rahul.notes;
  server.use(
    http.get('*/api/clients/u1', () => HttpResponse.json({ ...rahul, notes: saved })),
    http.post('*/api/clients/u1/notes', () => {
      saved = [{ _id: 'n2', text: 'Saved unheard', by: 'asha', at }, ...saved];
      return HttpResponse.error();
    }),
  );
  const { user } = openApp('/client/u1');
  const notes = await section('Notes');
  const field = await notes.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
  await user.type(field, 'Saved unheard');
  await user.click(notes.getByRole('button', { name: 'Add note' }));
  expect((await notes.findByRole('alert')).textContent).toContain('No answer came back.');
  expect(field.value).toBe('Saved unheard');
  await waitFor(() => expect(notes.getAllByRole('listitem')).toHaveLength(2));
});

test('a client that cannot be loaded shows an error with Retry', async () => {
  serverHas(rahul);
  const recover = refuseUntilRecovered('*/api/clients/u1', 'Not now.');
  const { user } = openApp('/client/u1');
  expect(await screen.findByText('This client could not be loaded.')).toBeTruthy();
  recover();
  const name = { level: 1, name: 'Rahul Nair' };
  expect(await retryUntil(user, () => screen.getByRole('heading', name))).toBeTruthy();
});

test('an unknown client shows a link to the list of users', async () => {
  server.use(
    http.get('*/api/clients/nobody', () =>
      refusal(404, 'client_not_found', 'There is no such client. Reload the list.'),
    ),
  );
  const { user } = openApp('/client/nobody');
  await screen.findByText(/^This client does not exist/);
  await user.click(screen.getByRole('link', { name: 'Search the registered users' }));
  expect(await heading('Registered Users')).toBeTruthy();
});

test.each(['/reg', '/Data'])(
  'the name in a row of %s, and in its panel, is a link to the page of the client',
  async (path) => {
    serverHas(rahul);
    const { user } = openApp(path);
    const inRow = await screen.findByRole('link', { name: /Rahul Nair/ });
    expect(inRow.getAttribute('href')).toBe('/client/u1');
    await openRow(user, 'Rahul Nair');
    const panel = within(await screen.findByRole('dialog', { name: 'Rahul Nair' }));
    await user.click(panel.getByRole('link', { name: 'Rahul Nair' }));
    expect(window.location.pathname).toBe('/client/u1');
    expect(await heading('Rahul Nair')).toBeTruthy();
  },
);
