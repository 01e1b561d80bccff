import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { accepted, claims, detailsOf, pending } from '../../../testing/sampleData';
import { movesFrom } from '../../../testing/sampleMoves';
import { server } from '../../../testing/server';

function countCalls() {
  const calls = { put: [] as unknown[], list: 0 };
  server.use(
    http.get('*/api/claims/all', () => {
      calls.list += 1;
      return HttpResponse.json(claims);
    }),
    http.put('*/api/claims/:id/status', async ({ request, params }) => {
      const { status } = (await request.json()) as { status: 'Accepted' | 'Paid' };
      calls.put.push([params.id, status]);
      await delay(50);
      const claim = params.id === pending._id ? pending : accepted;
      return HttpResponse.json({ ...claim, status, moves: movesFrom[status] });
    }),
  );
  return calls;
}

async function askToPay() {
  const app = openApp('/Withdraw');
  const row = await rowOf('Sneha Sharma');
  await app.user.click(row.getByRole('button', { name: /^Paid Success/ }));
  return { ...app, row, dialog: await openedConfirm() };
}

test('Accept takes effect at once and changes the row without refetching the list', async () => {
  const calls = countCalls();
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  await user.click(row.getByRole('button', { name: /^Accept/ }));
  expect(await row.findByText('Accepted')).toBeTruthy();
  expect(calls).toEqual({ put: [['c1', 'Accepted']], list: 1 });
  expect(row.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ }).disabled).toBe(
    false,
  );
});

test('while a move is in progress its row is busy and cannot be clicked again', async () => {
  const calls = countCalls();
  openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  const accept = row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ });
  fireEvent.click(accept);
  fireEvent.click(accept);
  await waitFor(() => expect(accept.disabled).toBe(true));
  expect(accept.getAttribute('aria-busy')).toBe('true');
  await row.findByText('Accepted');
  expect(calls.put).toHaveLength(1);
});

test('after Accept the focus stays in the row', async () => {
  countCalls();
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  await user.click(row.getByRole('button', { name: /^Accept/ }));
  await row.findByText('Accepted');
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('c1');
});

test('Paid Success first shows the client, the account and the amount, and the reference has the focus', async () => {
  const calls = countCalls();
  const { dialog } = await askToPay();
  expect(dialog.getByRole('heading', { name: 'Mark as paid?' })).toBeTruthy();
  expect(dialog.getByText(/Sneha Sharma/)).toBeTruthy();
  expect(dialog.getByText(/00123456789.*HDFC0001234/)).toBeTruthy();
  expect(dialog.getByText('₹8,46,424.20')).toBeTruthy();
  expect(dialog.getByText('This cannot be undone.')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText(/^Bank reference/));
  expect(calls.put).toEqual([]);
});

test('a name that runs from right to left stays before the mobile number', async () => {
  const user = { ...accepted.user, username: 'مرحبا' };
  const claim = { ...accepted, user };
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([claim])),
    http.get('*/api/claims/:id/details', () => HttpResponse.json(detailsOf(claim))),
  );
  const { user: admin } = openApp('/Withdraw');
  const row = await rowOf('مرحبا');
  await admin.click(row.getByRole('button', { name: /^Paid Success/ }));
  const dialog = await openedConfirm();
  expect(dialog.getByText(`\u2068مرحبا\u2069 · ${user.mobile}`)).toBeTruthy();
});

test('Cancel pays nothing', async () => {
  const calls = countCalls();
  const { user, dialog, row } = await askToPay();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(row.getByText('Accepted')).toBeTruthy();
  expect(calls.put).toEqual([]);
});

test('Escape pays nothing', async () => {
  const calls = countCalls();
  await askToPay();
  fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(calls.put).toEqual([]);
});

test('a confirmed payment is sent once and the row becomes Paid', async () => {
  const calls = countCalls();
  const { user, dialog, row } = await askToPay();
  await user.click(dialog.getByRole('button', { name: /^Paid Success/ }));
  expect(await row.findByText('Paid')).toBeTruthy();
  expect(calls).toEqual({ put: [['c2', 'Paid']], list: 1 });
  expect(row.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ }).disabled).toBe(true);
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('c2');
});

test('the second tap of a double tap does not confirm', async () => {
  const calls = countCalls();
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Sneha Sharma');
  await user.click(row.getByRole('button', { name: /^Paid Success/ }));
  const confirm = within(screen.getByRole('alertdialog'));
  await user.click(confirm.getByRole('button', { name: /^Paid Success/ }));
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  expect(calls.put).toEqual([]);
});

test('nothing can be paid before its warnings were on the screen', async () => {
  const calls = countCalls();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    http.get('*/api/claims/:id/details', async () => {
      await released;
      return HttpResponse.json(detailsOf(accepted));
    }),
  );
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Sneha Sharma');
  await user.click(row.getByRole('button', { name: /^Paid Success/ }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('Checking for warnings…')).toBeTruthy();
  // Longer than the time in which a second tap is ignored.
  await delay(600);
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox'), 'UTR1{Enter}');
  release();
  await waitFor(() => expect(confirm.disabled).toBe(false));
  expect(dialog.getByText('Nothing was ever paid to this account.')).toBeTruthy();
  expect(calls.put).toEqual([]);
  await user.click(confirm);
  expect(await row.findByText('Paid')).toBeTruthy();
});
