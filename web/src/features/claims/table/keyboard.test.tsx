import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, pause } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const focusedRow = () => document.activeElement?.getAttribute('data-row-id');

async function openClaims() {
  const puts: unknown[] = [];
  server.use(
    http.put('*/api/claims/:id/status', ({ params }) => {
      puts.push(params.id);
      return HttpResponse.error();
    }),
  );
  const app = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  await screen.findByRole('searchbox');
  return { ...app, puts };
}

test('j and k move from row to row and stop at the ends', async () => {
  const { user } = await openClaims();
  await user.keyboard('j');
  expect(focusedRow()).toBe('c1');
  await user.keyboard('jjj');
  expect(focusedRow()).toBe('c3');
  await user.keyboard('kkkk');
  expect(focusedRow()).toBe('c1');
});

test('x selects the current row', async () => {
  const { user } = await openClaims();
  await user.keyboard('jjx');
  expect(
    screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Sneha Sharma' }).checked,
  ).toBe(true);
});

test('Enter opens the claim, Escape closes it and the focus returns to the row', async () => {
  const { user } = await openClaims();
  await user.keyboard('j{Enter}');
  const panel = await screen.findByRole('dialog', { name: 'Rahul Nair' });
  await within(panel).findByText('Timeline');
  for (const text of ['00123456789', 'HDFC0001234', '₹7,967.56', 'Kochi', 'Pending']) {
    expect(within(panel).getAllByText(text).length).toBeGreaterThan(0);
  }
  for (const name of ['Amount', 'Account No', 'IFSC']) {
    expect(within(panel).getByRole('button', { name: `Copy ${name}` })).toBeTruthy();
  }
  panel.dispatchEvent(new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(focusedRow()).toBe('c1');
});

test('letters typed into the search field do not act as shortcuts', async () => {
  const { user } = await openClaims();
  await user.click(screen.getByRole('searchbox'));
  await user.keyboard('jx?');
  expect(focusedRow()).toBeFalsy();
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the letter keys do nothing while a confirmation is open', async () => {
  const { user } = await openClaims();
  await user.click(screen.getAllByRole('button', { name: /^Paid Success/ })[1] as HTMLElement);
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  cancel.focus();
  await user.keyboard('jxk?p');
  expect(document.activeElement).toBe(cancel);
});

test('the question mark shows the keyboard shortcuts', async () => {
  const { user } = await openClaims();
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
});

test('a letter key acts on no claim until a row has the focus', async () => {
  const { user, puts } = await openClaims();
  await user.keyboard('aprh');
  await pause();
  await user.keyboard('jx{Enter}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Escape}jx{Enter}');
  await screen.findByRole('dialog', { name: 'Rahul Nair' });
  expect(puts).toEqual([]);
});
