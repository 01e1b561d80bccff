import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { openApp, rowOf } from '../../../testing/openApp';
import { claims } from '../../../testing/sampleData';
import { movesFrom } from '../../../testing/sampleMoves';
import { server } from '../../../testing/server';
import { totalsOf } from '../../../testing/totals';

const bar = () => screen.findByRole('region', { name: 'Selection' });
const noBar = () => screen.queryByRole('region', { name: 'Selection' }) === null;
const box = (name: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });

async function openClaims() {
  const app = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  return app;
}

test('the tabs show counts, filter the list, and are stored in the URL', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      const status = new URL(request.url).searchParams.get('status');
      asked.push(status ?? 'all');
      return HttpResponse.json(claims.filter((claim) => !status || claim.status === status));
    }),
  );
  const { user } = await openClaims();
  expect(await screen.findByRole('button', { name: /^All 3/ })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Paid 1/ }));
  expect(window.location.search).toBe('?status=Paid');
  await waitFor(() => expect(screen.queryByText('Rahul Nair')).toBeNull());
  expect(screen.getByText('Arjun Das')).toBeTruthy();
  expect(await screen.findByText('1 claim · ₹12.00')).toBeTruthy();
  expect(asked).toEqual(['all', 'Paid']);
});

test('a moved claim stays in the tab it no longer belongs to, until the list is refetched', async () => {
  server.use(
    http.put('*/api/claims/:id/status', () =>
      HttpResponse.json({ ...claims[0], status: 'Accepted', moves: movesFrom.Accepted }),
    ),
    http.get('*/api/claims/all', () => HttpResponse.json([claims[0]])),
  );
  const { user } = openApp('/Withdraw?status=Pending');
  const row = await rowOf('Rahul Nair');
  await user.click(row.getByRole('button', { name: /^Accept/ }));
  expect(await row.findByText('Accepted')).toBeTruthy();
  expect(screen.getByText('Rahul Nair')).toBeTruthy();
});

test('selected rows are counted and summed exactly, to the paisa', async () => {
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await user.click(box('Sneha Sharma'));
  const selection = within(await bar());
  expect(selection.getByText('2 claims selected · ₹8,54,391.76')).toBeTruthy();
  await user.click(selection.getByRole('button', { name: 'Clear' }));
  expect(box('Rahul Nair').checked).toBe(false);
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('Shift+click selects a range', async () => {
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await user.keyboard('{Shift>}');
  await user.click(box('Arjun Das'));
  await user.keyboard('{/Shift}');
  expect(within(await bar()).getByText(/^3 claims selected/)).toBeTruthy();
});

test('the selection can grow from the visible rows to all matches, counted and summed by the server', async () => {
  server.use(
    http.get('*/api/claims/totals', () =>
      HttpResponse.json({ ...totalsOf([]), count: 12345, amount: 1000012 }),
    ),
  );
  const { user } = await openClaims();
  await user.click(screen.getByRole('checkbox', { name: 'Select the rows in view' }));
  const selection = within(await bar());
  await user.click(await selection.findByRole('button', { name: 'Select all 12,345 that match' }));
  expect(selection.getByText('All 12,345 claims that match selected · ₹10,00,012.00')).toBeTruthy();
  await user.click(box('Arjun Das'));
  expect(
    selection.getByText('12,344 claims selected · ₹10,00,000.00 · all that match except 1'),
  ).toBeTruthy();
});

test('another filter clears the selection, and returning to the first filter does not restore it', async () => {
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await bar();
  await user.click(await screen.findByRole('button', { name: /^Paid 1/ }));
  await waitFor(() => expect(noBar()).toBe(true));
  await user.click(screen.getByRole('button', { name: /^All 3/ }));
  await waitFor(() => expect(box('Rahul Nair').closest('[inert]')).toBeNull());
  expect(box('Rahul Nair').checked).toBe(false);
  expect(noBar()).toBe(true);
});

test('a selection of all matches but one is not restored after a search was cleared', async () => {
  server.use(
    http.get('*/api/claims/totals', () =>
      HttpResponse.json({ ...totalsOf([]), count: 12345, amount: 1000012 }),
    ),
  );
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await user.click(
    await within(await bar()).findByRole('button', { name: 'Select all 12,345 that match' }),
  );
  await user.click(box('Arjun Das'));
  const search = screen.getByRole('searchbox');
  await user.type(search, 'ra');
  await waitFor(() => expect(noBar()).toBe(true));
  await user.clear(search);
  await waitFor(() => expect(window.location.search).toBe(''));
  await waitFor(() => expect(box('Arjun Das').closest('[inert]')).toBeNull());
  expect(noBar()).toBe(true);
  expect(box('Arjun Das').checked).toBe(false);
});

test('another sort order keeps the selection', async () => {
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await bar();
  await user.click(screen.getByRole('button', { name: 'Amount' }));
  await waitFor(() => expect(window.location.search).toBe('?sort=amount'));
  expect(box('Rahul Nair').checked).toBe(true);
  expect(within(await bar()).getByText(/^1 claim selected/)).toBeTruthy();
});

test('a range does not start at a row of the previous filter', async () => {
  const { user } = await openClaims();
  await user.click(box('Rahul Nair'));
  await user.click(await screen.findByRole('button', { name: /^Paid 1/ }));
  await waitFor(() => expect(box('Arjun Das').closest('[inert]')).toBeNull());
  await user.keyboard('{Shift>}');
  await user.click(box('Arjun Das'));
  await user.keyboard('{/Shift}');
  expect(within(await bar()).getByText(/^1 claim selected/)).toBeTruthy();
});

test('Clear moves the focus to the table, and the keys continue from the last row', async () => {
  const { user } = await openClaims();
  await user.keyboard('jjx');
  await user.click(within(await bar()).getByRole('button', { name: 'Clear' }));
  expect(document.activeElement).toBe(screen.getByRole('table'));
  await user.keyboard('jx');
  expect(box('Arjun Das').checked).toBe(true);
});

test('the message about the copy is shown until the selection changes', async () => {
  const { user } = await openClaims();
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(box('Rahul Nair'));
  const selection = within(await bar());
  await user.click(selection.getByRole('button', { name: 'Copy' }));
  expect(await selection.findByText('Copied 1 claim.')).toBeTruthy();
  await user.click(box('Arjun Das'));
  expect(selection.queryByText(/^Copied/)).toBeNull();
});

test('Copy writes the rows in the format that spreadsheets paste', async () => {
  const { user } = await openClaims();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(box('Rahul Nair'));
  await user.click(within(await bar()).getByRole('button', { name: 'Copy' }));
  const [head, line] = String(write.mock.calls[0]?.[0]).split('\n');
  expect(head).toBe(
    'Date\tClaim No.\tUser Name\tMobile\tInvest\tAmount\tAccount No\tIFSC\tAddress\tStatus',
  );
  expect(line?.split('\t').slice(1)).toEqual([
    'C-10001',
    'Rahul Nair',
    '="09805756092"',
    '₹5,000.00',
    '₹7,967.56',
    '="00123456789"',
    'HDFC0001234',
    'Kochi',
    'Pending',
  ]);
});

test('Copy keeps the order of the list, however the rows were selected', async () => {
  const inOrder = claims.map((claim, place) => ({
    ...claim,
    createdAt: `2026-09-${21 - place}T10:12:00.000Z`,
  }));
  server.use(http.get('*/api/claims/all', () => HttpResponse.json(inOrder)));
  const { user } = await openClaims();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const namesIn = async () => {
    await user.click(within(await bar()).getByRole('button', { name: 'Copy' }));
    const [, ...lines] = String(write.mock.lastCall?.[0]).split('\n');
    return lines.map((line) => line.split('\t')[2]);
  };
  await user.click(box('Rahul Nair'));
  await user.keyboard('{Shift>}');
  await user.click(box('Arjun Das'));
  await user.keyboard('{/Shift}');
  const shown = screen.getAllByRole('checkbox', { name: /^Select [A-Z]/ });
  const names = shown.map((each) => each.getAttribute('aria-label')?.replace('Select ', ''));
  expect(await namesIn()).toEqual(names);
  for (const name of [...names].reverse()) {
    await user.click(box(name ?? ''));
    await user.click(box(name ?? ''));
  }
  expect(await namesIn()).toEqual(names);
});

test('Copy leaves out masked numbers and says so', async () => {
  const [claim] = claims;
  if (!claim) throw new Error('no claim');
  const masked = {
    ...claim,
    user: { ...claim.user, mobile: '••••6092' },
    accountNo: '••••6789',
    address: 'Ask for 0••••6092, Kochi',
  };
  server.use(http.get('*/api/claims/all', () => HttpResponse.json([masked])));
  const { user } = await openClaims();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(box('Rahul Nair'));
  const selection = within(await bar());
  await user.click(selection.getByRole('button', { name: 'Copy' }));
  expect(await selection.findByText('Copied 1 claim without what is masked.')).toBeTruthy();
  const [, line] = String(write.mock.calls[0]?.[0]).split('\n');
  expect(line?.split('\t').slice(1)).toEqual([
    'C-10001',
    'Rahul Nair',
    '',
    '₹5,000.00',
    '₹7,967.56',
    '',
    'HDFC0001234',
    '',
    'Pending',
  ]);
});
