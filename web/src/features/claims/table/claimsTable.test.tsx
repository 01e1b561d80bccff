import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, rowOf } from '../../../testing/openApp';
import { accepted, detailsOf } from '../../../testing/sampleData';
import { server } from '../../../testing/server';

const isEnabled = (button: HTMLElement) => !(button as HTMLButtonElement).disabled;

const mockWidth = (width: number) =>
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const least = Number(/min-width: (\d+)/.exec(query)?.[1]);
    return Object.assign(new EventTarget(), { matches: least <= width }) as MediaQueryList;
  });

test('the table shows the expected columns in order', async () => {
  mockWidth(1366);
  openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Date',
    'User Name',
    'Mobile',
    'Invest',
    'Amount',
    'Account No',
    'IFSC',
    'Address',
    'Action',
  ]);
});

test('below 1366 pixels the address leaves its room to the account and the code', async () => {
  mockWidth(1365);
  openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  expect(screen.queryByRole('columnheader', { name: 'Address' })).toBeNull();
  expect(screen.getByRole('columnheader', { name: 'Account No' })).toBeTruthy();
});

test('a row shows amounts with paise and keeps leading zeros', async () => {
  mockWidth(1366);
  openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  for (const text of [
    '₹7,967.56',
    '₹5,000.00',
    '09805756092',
    '00123456789',
    'HDFC0001234',
    'HDFC Bank',
    'Kochi',
  ]) {
    expect(row.getByText(text)).toBeTruthy();
  }
  expect(row.getByText(new Date('2026-09-21T10:12:00Z').toLocaleDateString()).tagName).toBe('TIME');
});

test('the buttons of a row name the client and the amount after their label', async () => {
  openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  for (const label of ['Accept', 'Paid Success', 'More']) {
    expect(row.getByRole('button', { name: `${label}, Rahul Nair, ₹7,967.56` })).toBeTruthy();
  }
  expect(row.getByText('Accept').tagName).toBe('BUTTON');
});

test('a problem with a bank code is shown in the row, in the panel, and in the payment dialog', async () => {
  const bank = { name: 'HDFC Bank', note: 'No branch has this code.' };
  const claim = { ...accepted, bank };
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([claim])),
    http.get('*/api/claims/:id/details', () => HttpResponse.json(detailsOf(claim))),
  );
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Sneha Sharma');
  expect(row.getByTitle('No branch has this code.').textContent).toBe(
    'Check code: No branch has this code.',
  );
  expect(row.getByText('Check code')).toBeTruthy();
  // A name next to it would be truncated together with it.
  expect(row.queryByText('HDFC Bank')).toBeNull();
  await user.click(row.getByRole('button', { name: /^Paid Success/ }));
  const confirm = within(await screen.findByRole('alertdialog'));
  expect(confirm.getByText('HDFC Bank')).toBeTruthy();
  expect(confirm.getByText('No branch has this code.')).toBeTruthy();
  await user.click(confirm.getByRole('button', { name: 'Cancel' }));
  await user.click(row.getByText(accepted.accountNo));
  const panel = within(await screen.findByRole('dialog', { name: 'Sneha Sharma' }));
  expect(panel.getByText('Bank').nextSibling?.textContent).toBe(
    'HDFC BankNo branch has this code.',
  );
});

test.each([
  ['Rahul Nair', 'Pending', true, false],
  ['Sneha Sharma', 'Accepted', false, true],
  ['Arjun Das', 'Paid', false, false],
])('the claim of %s is %s: Accept %s, Paid Success %s', async (name, status, canAccept, canPay) => {
  openApp('/Withdraw');
  const row = await rowOf(name);
  expect(row.getByText(status)).toBeTruthy();
  expect(isEnabled(row.getByRole('button', { name: /^Accept/ }))).toBe(canAccept);
  expect(isEnabled(row.getByRole('button', { name: /^Paid Success/ }))).toBe(canPay);
});

test('the moves that a claim allows come from the server, not from its status', async () => {
  server.use(http.get('*/api/claims/all', () => HttpResponse.json([{ ...accepted, moves: [] }])));
  openApp('/Withdraw');
  const row = await rowOf('Sneha Sharma');
  expect(isEnabled(row.getByRole('button', { name: /^Paid Success/ }))).toBe(false);
});

test('the title line shows the number of claims and their sum', async () => {
  openApp('/Withdraw');
  expect(await screen.findByText('3 claims · ₹8,54,403.76')).toBeTruthy();
  expect(await screen.findByText('3 claims')).toBeTruthy();
});

test('a rejected claim does not count as waiting, and a returned one does', async () => {
  const statuses = ['Pending', 'Accepted', 'On hold', 'Returned', 'Rejected', 'Paid'] as const;
  serverMoves(statuses.map((status, index) => claimOf(index + 1, status)));
  openApp('/Withdraw');
  expect(await screen.findByText('₹31,870.24 waiting in 4 claims')).toBeTruthy();
});

test('the title line shows the amount waiting to be paid, unless the list is filtered', async () => {
  openApp('/Withdraw');
  expect(await screen.findByText('₹8,54,391.76 waiting in 2 claims')).toBeTruthy();
  cleanup();
  openApp('/Withdraw?status=Paid');
  await screen.findByText('1 claim · ₹12.00');
  expect(screen.queryByText(/waiting in/)).toBeNull();
});

test('on a phone every column is shown, with a label where the value does not explain itself', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: !query.includes('min-width') }) as MediaQueryList,
  );
  openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  expect(row.getAllByRole('cell')).toHaveLength(9);
  expect(row.getByText('00123456789')).toBeTruthy();
  expect(row.getByText('Invest').nextSibling?.textContent).toBe('₹5,000.00');
});

test('the admin who moved a claim comes from a link: the filters show it only to remove it', async () => {
  const { user, unmount } = openApp('/Withdraw?reached=Paid');
  await user.click(await screen.findByRole('button', { name: /^Filter/ }));
  expect(await screen.findByLabelText('Moved there from')).toBeTruthy();
  expect(screen.queryByLabelText('Moved there by')).toBeNull();
  unmount();

  const linked = openApp('/Withdraw?reached=Paid&reachedBy=asha');
  await linked.user.click(await screen.findByRole('button', { name: /^Filter/ }));
  const by = await screen.findByLabelText<HTMLSelectElement>('Moved there by');
  expect([...by.options].map(({ text }) => text)).toEqual(['Any', 'asha']);
  await linked.user.selectOptions(by, 'Any');
  await waitFor(() => expect(window.location.search).toBe('?reached=Paid'));
});
