import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { Claim } from '../../entities/claim/claim';
import { claimOf, serverMoves } from '../../testing/claimServer';
import { moved, openLive, pause } from '../../testing/liveServer';
import { heading, openApp, openRow, retryUntil } from '../../testing/openApp';
import { refuseUntilRecovered, server } from '../../testing/server';

const paid: Claim = {
  ...claimOf(1, 'Paid'),
  payout: { at: '2026-11-16T20:52:00Z', by: 'asha', reference: 'N319260012345678' },
};

const serverHas = (...claims: Claim[]) => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('number') ?? '');
      return HttpResponse.json(claims);
    }),
  );
  return asked;
};

test('a receipt has number, amount, reference, masked numbers, and the time of the desk', async () => {
  const asked = serverHas(paid);
  openApp('/receipt/c-10001');
  await heading('Receipt C-10001');
  expect(document.title).toBe('Receipt C-10001 · Countinghouse');
  expect(asked).toEqual(['C-10001']);
  const sheet = await screen.findByRole('article', { name: 'Receipt C-10001' });
  expect(within(sheet).getByText('₹7,967.56 paid')).toBeTruthy();
  const lines = [...sheet.querySelectorAll('dl > div')].map((line) => line.textContent);
  expect(lines).toEqual([
    'Claim numberC-10001',
    'ClientClient 1',
    'Mobile••••6267',
    'Account••••6789',
    'BankHDFC Bank, HDFC0001234',
    'Bank referenceN319260012345678',
    'Paid on17 Nov 2026, 02:22 (Asia/Kolkata)',
    'Paid byasha',
    expect.stringMatching(/^Requested on\d+ \w+ 2026$/),
  ]);
  expect(sheet.textContent).not.toContain(paid.accountNo);
  expect(sheet.textContent).toMatch(/as of .* \(Asia\/Kolkata\)$/);
});

test('Print opens the print dialog of the browser', async () => {
  serverHas(paid);
  const { user } = openApp('/Receipt/C-10001');
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await user.click(await screen.findByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('a payout that was stored without its details says so', async () => {
  serverHas({ ...paid, payout: null });
  openApp('/Receipt/C-10001');
  expect(await screen.findAllByText('Not recorded')).toHaveLength(3);
});

test.each(['Pending', 'Accepted', 'On hold', 'Rejected', 'Returned'] as const)(
  'a claim that is %s has no receipt',
  async (status) => {
    serverHas(claimOf(1, status));
    openApp('/Receipt/C-10001');
    const sentence = `C-10001 is ${status}. Only a paid claim has a receipt.`;
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(screen.queryByRole('article')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  },
);

test('the receipt goes away when another admin returns its payment', async () => {
  serverHas(paid);
  const { live } = await openLive('/Receipt/C-10001');
  await screen.findByRole('article', { name: 'Receipt C-10001' });
  serverHas({ ...claimOf(1, 'Returned'), version: paid.version + 1 });
  live.sendEvent('change', moved('c1', 'Returned', paid.version + 1));
  const sentence = 'C-10001 is Returned. Only a paid claim has a receipt.';
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});

test('a change of another claim does not read the receipt again', async () => {
  const asked = serverHas(paid);
  const { live } = await openLive('/Receipt/C-10001');
  const before = asked.length;
  live.sendEvent('change', moved('c2', 'Returned', 2));
  await pause(400);
  expect(asked).toHaveLength(before);
});

test.each(['/Receipt/C-99999', '/Receipt'])('%s says that there is no such claim', async (path) => {
  serverHas();
  openApp(path);
  expect(await screen.findByText('There is no such claim.')).toBeTruthy();
});

test('a receipt that cannot be loaded offers Retry', async () => {
  serverHas(paid);
  const recover = refuseUntilRecovered('*/api/claims/all', 'Not now.');
  const { user } = openApp('/Receipt/C-10001');
  await screen.findByRole('button', { name: 'Retry' });
  recover();
  const title = { level: 1, name: 'Receipt C-10001' };
  expect(await retryUntil(user, () => screen.getByRole('heading', title))).toBeTruthy();
});

test('the panel of a paid claim links to its receipt, and that of another does not', async () => {
  serverMoves([paid, claimOf(2, 'Accepted')]);
  const { user } = openApp('/Withdraw');
  await openRow(user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  const link = panel.getByRole('link', { name: 'Receipt' });
  expect(link.getAttribute('href')).toBe('/Receipt/C-10001');
  await user.click(panel.getByRole('button', { name: 'Next claim' }));
  const other = within(await screen.findByRole('dialog', { name: 'Client 2' }));
  expect(other.queryByRole('link', { name: 'Receipt' })).toBeNull();
});
