import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openRow, rowOf } from '../../../testing/openApp';
import { formatDay, formatMoment } from '../../../ui/text/dates';

const paidAt = '2026-11-16T05:12:00.000Z';
const reference = 'N319260012345678';
const more = { qrName: 'Front desk', clientSince: '2026-02-03T10:12:00.000Z' };
const paid = {
  ...claimOf(1, 'Paid'),
  ...more,
  payout: { at: paidAt, by: 'ravi', reference },
};
const open = { ...claimOf(2), ...more, payout: null };
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

test('the Action cell of a paid claim shows the reference with copy, who paid and when', async () => {
  serverMoves([paid, open]);
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Client 1');
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(row.getByRole('button', { name: 'Copy bank reference' }));
  expect(write.mock.calls).toEqual([[reference]]);
  expect(row.getByText(reference)).toBeTruthy();
  expect(row.getByText(`ravi, ${formatDay(paidAt)}`)).toBeTruthy();
  expect(row.getByText('Paid')).toBeTruthy();
  for (const name of [/^Accept/, /^Paid Success/])
    expect(row.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  // Copying is not opening.
  expect(screen.queryByRole('dialog')).toBeNull();
  expect((await rowOf('Client 2')).queryByRole('button', { name: /^Copy/ })).toBeNull();
});

test('the panel of a paid claim shows the payout instead of the balance', async () => {
  serverMoves([paid, open]);
  const { user } = openApp('/Withdraw');
  await openRow(user, 'Client 1');
  const panel = within(await screen.findByRole('dialog', { name: 'Client 1' }));
  const payout = within(panel.getByRole('region', { name: 'Payout' }));
  const lines = payout.getAllByRole('term').map((term) => {
    return [term.textContent, term.nextElementSibling?.textContent];
  });
  expect(lines).toEqual([
    ['Reference', reference],
    ['Paid by', 'ravi'],
    ['Paid on', formatMoment(paidAt)],
  ]);
  expect(panel.getByRole('region', { name: 'Paid to' })).toBeTruthy();
  await panel.findByText('Timeline');
  expect(panel.queryByText('Available to withdraw')).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Next claim' }));
  const next = within(await screen.findByRole('dialog', { name: 'Client 2' }));
  expect(await next.findByText('Available to withdraw')).toBeTruthy();
  expect(next.queryByRole('region', { name: 'Payout' })).toBeNull();
});

test('optional columns are off until they are chosen, and the choice is in the URL', async () => {
  serverMoves([paid, open]);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  const usual = headers();
  expect(usual).not.toContain('Reference');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  const names = ['Claim No.', 'Client since', 'QR', 'Reference', 'Paid by', 'Paid on'];
  for (const name of names) await user.click(screen.getByRole('checkbox', { name }));
  expect(window.location.search).toBe('?show=number%2Csince%2Cqr%2Creference%2CpaidBy%2CpaidOn');
  expect(headers().filter((name) => !usual.includes(name))).toEqual(names);
  const row = await rowOf('Client 1');
  const shown = row.getAllByRole('cell').map(({ textContent }) => textContent);
  for (const text of ['C-10001', formatDay(more.clientSince), 'Front desk', reference, 'ravi'])
    expect(shown).toContain(text);
  await user.click(screen.getByRole('checkbox', { name: 'Reference' }));
  expect(headers()).not.toContain('Reference');
});
