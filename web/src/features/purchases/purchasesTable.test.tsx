import { cleanup, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, rowOf } from '../../testing/openApp';
import { purchases } from '../../testing/sampleData';
import { server } from '../../testing/server';

test('a purchase shows its columns in order, and the transaction ID keeps its leading zeros', async () => {
  openApp('/Data');
  const row = await rowOf('Rahul Nair');
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Date',
    'User Name',
    'Mobile',
    'Invest',
    'Daily Income',
    'Transaction ID',
    'Claim Type',
    'QR Name',
  ]);
  expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    new Date('2026-09-21T10:12:00Z').toLocaleDateString(),
    'Rahul Nair',
    '09805756092',
    '₹1,00,000.00',
    '₹1,500.50',
    '000723636150',
    'Daily',
    'Front desk',
  ]);
});

test('the title line shows the sum of the investments', async () => {
  openApp('/Data');
  expect(await screen.findByText('1 purchase · ₹1,00,000.00')).toBeTruthy();
});

test('the footer shows the current total, as the title does, even when the rows are older', async () => {
  const totals = { count: 67_674, invest: 1, dailyIncome: 1, isExact: true };
  server.use(http.get('*/api/purchases/totals', () => HttpResponse.json(totals)));
  openApp('/Data');
  expect(await screen.findByText('67,674 purchases · ₹1.00')).toBeTruthy();
  expect(screen.getByText('67,674 purchases')).toBeTruthy();
});

test('a request without a response is retried once before it counts as failed', async () => {
  let calls = 0;
  server.use(
    http.get('*/api/purchases/all', () => {
      calls += 1;
      return calls === 1 ? HttpResponse.error() : HttpResponse.json(purchases);
    }),
  );
  openApp('/Data');
  expect(await screen.findByText('Rahul Nair')).toBeTruthy();
  expect(calls).toBe(2);
});

test('the panel copies a mobile number and a transaction ID, but not if they are masked', async () => {
  const [purchase] = purchases;
  if (!purchase) throw new Error('no purchase');
  const { user } = openApp('/Data');
  await user.click((await rowOf('Rahul Nair')).getByText('000723636150'));
  expect(await screen.findByRole('button', { name: 'Copy Mobile' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy Transaction ID' })).toBeTruthy();
  cleanup();
  const masked = {
    ...purchase,
    user: { ...purchase.user, mobile: '••••6092' },
    upiId: 'T/••••6092/2',
  };
  server.use(http.get('*/api/purchases/all', () => HttpResponse.json([masked])));
  const again = openApp('/Data');
  await again.user.click((await rowOf('Rahul Nair')).getByText('T/••••6092/2'));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Copy (Mobile|Transaction ID)/ })).toBeNull();
});
