import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { Schemas } from '../../api/client';
import { moved, openLive } from '../../testing/liveServer';
import { heading, openApp } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';
import { statementPeriods } from './statementPeriods';

const id = '6917e2f4a1b2c3d4e5000001';
const bank = { name: 'HDFC Bank', note: '' };
const statement: Schemas['ClientStatement'] = {
  user: { _id: id, username: 'Ananya Iyer', mobile: '••••6092' },
  firstDay: '2026-11-01',
  lastDay: '2026-11-30',
  timeZone: 'Asia/Kolkata',
  at: '2026-12-01T02:52:36.120Z',
  purchases: {
    amount: 5000,
    items: [
      { number: 'P-10271', createdAt: '2026-11-04T20:00:00Z', invest: 5000, upiId: '631902345678' },
    ],
  },
  paid: {
    amount: 500.5,
    items: [
      {
        number: 'C-10482',
        createdAt: '2026-10-15T02:52:36.120Z',
        amount: 500.5,
        status: 'Paid',
        accountNo: '••••5678',
        bank,
        payout: { at: '2026-11-16T02:52:36.120Z', by: 'asha', reference: 'N319260012345678' },
      },
    ],
  },
  open: { amount: 0, items: [] },
};

function serverStates() {
  const asked: string[] = [];
  server.use(
    http.get(`*/api/clients/${id}/statement`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(statement);
    }),
  );
  return asked;
}

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('a statement lists purchases and claims with their totals, by the days of the desk', async () => {
  const asked = serverStates();
  openApp(`/Statement/${id}?from=2026-11-01&to=2026-11-30`);
  await heading('Statement of Ananya Iyer');
  expect(asked).toEqual(['?from=2026-11-01&to=2026-11-30']);
  expect(screen.getByText('1 Nov 2026 to 30 Nov 2026 (Asia/Kolkata)')).toBeTruthy();
  expect(rowsOf('Purchases')).toEqual([
    ['Date', 'Number', 'Transaction ID', 'Invest'],
    ['5 Nov 2026', 'P-10271', '631902345678', '₹5,000.00'],
    ['Total', '₹5,000.00'],
  ]);
  expect(rowsOf('Paid claims')).toEqual([
    ['Paid on', 'Number', 'Requested', 'Account', 'Bank reference', 'Amount'],
    ['16 Nov 2026', 'C-10482', '15 Oct 2026', '••••5678, HDFC Bank', 'N319260012345678', '₹500.50'],
    ['Total', '₹500.50'],
  ]);
  expect(
    within(screen.getByRole('region', { name: 'Open claims' })).queryByRole('table'),
  ).toBeNull();
  expect(screen.getByText('None in this period.')).toBeTruthy();
});

test('the head of each table, which is repeated on every printed page, names the client and the period', async () => {
  serverStates();
  openApp(`/Statement/${id}?from=2026-11-01&to=2026-11-30`);
  await heading('Statement of Ananya Iyer');
  for (const name of ['Purchases', 'Paid claims']) {
    const head = screen.getByRole('table', { name }).querySelector('thead');
    expect(head?.textContent).toContain('Ananya Iyer · ••••6092 · 1 Nov 2026 to 30 Nov 2026');
  }
});

test('a period is chosen by a preset or by its days, and is in the URL', async () => {
  const asked = serverStates();
  const { user } = openApp(`/Statement/${id}`);
  await heading('Statement of Ananya Iyer');
  const [month, , year] = statementPeriods();
  expect(asked).toEqual([`?from=${month?.from}&to=${month?.to}`]);
  const button = await screen.findByRole('button', { name: 'This month' });
  expect(button.getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'This financial year' }));
  expect(window.location.search).toBe(`?from=${year?.from}&to=${year?.to}`);
  fireEvent.change(await screen.findByLabelText('First day'), { target: { value: '2026-01-01' } });
  await waitFor(() => expect(asked.at(-1)).toBe(`?from=2026-01-01&to=${year?.to}`));
  expect(window.location.search).toBe(asked.at(-1));
});

test.each([
  ['2026-11-17', '2026-11-01 2026-11-17', '2026-10-01 2026-10-31', '2026-04-01 2026-11-17'],
  ['2027-03-31', '2027-03-01 2027-03-31', '2027-02-01 2027-02-28', '2026-04-01 2027-03-31'],
  ['2027-04-01', '2027-04-01 2027-04-01', '2027-03-01 2027-03-31', '2027-04-01 2027-04-01'],
])('on %s the periods are right', (day, month, before, year) => {
  expect(statementPeriods(day).map(({ name, from, to }) => [name, `${from} ${to}`])).toEqual([
    ['This month', month],
    ['Last month', before],
    ['This financial year', year],
  ]);
});

test('a statement is read again when another admin moves a claim', async () => {
  serverStates();
  const { live } = await openLive(`/Statement/${id}?from=2026-11-01&to=2026-11-30`);
  await screen.findByRole('table', { name: 'Paid claims' });
  const nothingPaid = { ...statement, paid: { amount: 0, items: [] } };
  server.use(http.get(`*/api/clients/${id}/statement`, () => HttpResponse.json(nothingPaid)));
  live.sendEvent('change', moved('c1', 'Returned', 4));
  await waitFor(() => expect(screen.queryByRole('table', { name: 'Paid claims' })).toBeNull());
  expect(screen.getByRole('table', { name: 'Purchases' })).toBeTruthy();
});

test('a refused period shows the sentence of the server and nothing to print', async () => {
  const sentence = 'A statement has at most 1,000 entries. Choose a shorter period.';
  server.use(
    http.get(`*/api/clients/${id}/statement`, () =>
      refusal(422, 'statement_too_long', sentence, { from: sentence }),
    ),
  );
  openApp(`/Statement/${id}`);
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  expect(await screen.findByLabelText('Last day')).toBeTruthy();
});

test('Print opens the print dialog of the browser', async () => {
  serverStates();
  const { user } = openApp(`/Statement/${id}`);
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await user.click(await screen.findByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('a link to a statement keeps its period through the login', async () => {
  serverStates();
  const { user } = openApp(`/Statement/${id}?from=2026-11-01&to=2026-11-30`, { token: null });
  await user.type(await screen.findByLabelText('Username'), 'asha');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await heading('Statement of Ananya Iyer');
  expect(window.location.search).toBe('?from=2026-11-01&to=2026-11-30');
});
