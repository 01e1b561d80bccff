import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { batchClaim, outcomeOf, serverBatches, sheet } from '../../../testing/batchServer';
import { armed, openApp, openedConfirm, pause } from '../../../testing/openApp';
import { server } from '../../../testing/server';
import { askForSheet } from '../batchPlans';

async function select() {
  const app = openApp('/Withdraw');
  await app.user.click(await screen.findByRole('checkbox', { name: 'Select Rahul Nair' }));
  const begin = await screen.findByRole('button', { name: 'Paid…' });
  return { ...app, begin };
}

async function openSheet() {
  const state = serverBatches({ status: 'Paid' });
  const { user, begin } = await select();
  await user.click(begin);
  const dialog = await openedConfirm();
  await armed();
  return { user, state, dialog };
}

// By role, a hundred rows would take too long.
const fields = () => [...document.querySelectorAll<HTMLInputElement>('input[data-reference]')];
const values = () => fields().map(({ value }) => value);

test('references that are typed blind fill row after row, and only the button confirms them', async () => {
  const { user, state, dialog } = await openSheet();
  await user.keyboard('paytm123456{Enter}N222222{Control>}{Enter}{/Control}xp123456{Enter}{Enter}');
  expect(values()).toEqual(['paytm123456', 'N222222']);
  expect(dialog.getByText('2 of 2 references entered.')).toBe(document.activeElement);
  expect(state.ran).toEqual([]);
  await user.keyboard('{Tab}{Tab}');
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: /^Mark 2 claims Paid/ }));
  await user.keyboard('payN1');
  expect(state.ran).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([
    { batch: 'b1', references: { c1: 'paytm123456', c2: 'N222222' }, without: [] },
  ]);
});

test('no Enter in the filter confirms', async () => {
  const { user, state, dialog } = await openSheet();
  await user.type(dialog.getByRole('searchbox'), 'rahul{Enter}{Control>}{Enter}{/Control}');
  expect(dialog.getAllByRole('rowheader')).toHaveLength(1);
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  expect(state.ran).toEqual([]);
});

test('Enter that ends the input of a composed character stays in its field', async () => {
  await openSheet();
  const [first] = fields();
  fireEvent.keyDown(first as Element, { key: 'Enter', isComposing: true });
  expect(document.activeElement).toBe(first);
});

test('the first reference that is missing has the focus, and Enter reaches rows that were not rendered', async () => {
  const count = 103;
  const state = serverBatches({
    status: 'Paid',
    count,
    willMove: { ...sheet.willMove, count },
  });
  state.claims = Array.from({ length: count }, (_, index) => batchClaim(index + 1, 'Rahul Nair'));
  const entered = Object.fromEntries(state.claims.slice(0, 100).map(({ _id }) => [_id, 'N111111']));
  const { user } = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  const asked = { plan: {}, target: 'Paid', sort: undefined, onStarted: () => undefined } as const;
  await act(() => askForSheet({ ...asked, entered }));
  const focused = () => document.activeElement?.getAttribute('data-reference');
  await waitFor(() => expect(focused()).toBe('c101'));
  const rendered = fields().length;
  fields().at(-1)?.focus();
  await user.keyboard('N222222{Enter}N333333');
  expect(focused()).toBe(`c${rendered + 1}`);
  expect(values().slice(rendered - 1, rendered + 1)).toEqual(['N222222', 'N333333']);
});

test('the end of a reference that was begun while the sheet was loading is no reference', async () => {
  const state = serverBatches({ status: 'Paid' });
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/api/batches/:id/claims', async () => {
      await isAsked;
      return HttpResponse.json(state.claims);
    }),
  );
  const { user, begin } = await select();
  await user.click(begin);
  await screen.findByRole('dialog', { name: 'Checking the claims…' });
  await pause();
  await user.keyboard('SBIN12345');
  answer();
  await screen.findByRole('alertdialog');
  await user.keyboard('678901{Enter}2');
  expect(values()).toEqual(['', '']);
  expect(document.activeElement).toBe(fields()[0]);
  await pause();
  await user.keyboard('678901');
  expect(values()).toEqual(['', '']);
  expect(screen.getByText(/^What you typed on was not taken/)).toBeTruthy();
  await pause();
  await user.keyboard('{End}SBIN12345678901');
  expect(values()).toEqual(['SBIN12345678901', '']);
});

test('a retry of skipped claims begins at the reference that is missing', async () => {
  const state = serverBatches({ status: 'Paid' }, [outcomeOf(0, 0, 2)]);
  const { user, begin } = await select();
  await user.click(begin);
  const dialog = await openedConfirm();
  await user.keyboard('N111111');
  await user.click(dialog.getByRole('button', { name: /^Mark 2 claims Paid/ }));
  const end = within(await screen.findByRole('dialog', { name: '0 done, 2 not' }));
  await user.click(end.getByRole('button', { name: 'Retry these…' }));
  await screen.findByRole('alertdialog');
  expect(values()).toEqual(['N111111', '']);
  expect(document.activeElement).toBe(fields()[1]);
  expect(state.plans).toHaveLength(2);
});
