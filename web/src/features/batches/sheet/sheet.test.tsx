import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { batchClaim, outcomeOf, serverBatches } from '../../../testing/batchServer';
import { openApp, openedConfirm } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const changed = {
  code: 'account_changed' as const,
  sentence: 'The last claim, on 2 Nov 2026, named another account: 0099, IFSC SBIN0000456.',
};
const first = { code: 'first_payout' as const, sentence: 'First payout to this account.' };

/** The rows that come into view when a test says so. */
class Views {
  static all: Views[] = [];
  rows: Element[] = [];
  constructor(readonly call: (entries: unknown[]) => void) {
    Views.all.push(this);
  }
  observe(row: Element) {
    this.rows.push(row);
  }
  disconnect() {
    Views.all = Views.all.filter((each) => each !== this);
  }
}
const show = (isShown: (row: Element) => boolean) => {
  for (const { call, rows } of Views.all)
    call(rows.filter(isShown).map((target) => ({ target, isIntersecting: true })));
};
const showAllRows = () => show(() => true);

afterEach(() => {
  vi.unstubAllGlobals();
  Views.all = [];
});

async function open(action: 'Accept…' | 'Paid…', name: string | RegExp) {
  vi.stubGlobal('IntersectionObserver', Views);
  const app = openApp('/Withdraw');
  await app.user.click(await screen.findByRole('checkbox', { name: 'Select Rahul Nair' }));
  await app.user.click(await screen.findByRole('button', { name: action }));
  const dialog = within(await screen.findByRole('alertdialog', { name }));
  return { ...app, dialog };
}

function pasteInto(target: Element, text: string) {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => text } });
  fireEvent(target, event);
}
const paste = (text: string) => pasteInto(document.activeElement ?? document.body, text);

test('a payment waits until every warning has been in view', async () => {
  const state = serverBatches({ status: 'Paid' });
  state.claims = [batchClaim(1, 'Rahul Nair', [changed, first]), batchClaim(2, 'Sneha Sharma')];
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid? 1 has warnings');
  expect(dialog.getByText(changed.sentence)).toBeTruthy();
  expect(dialog.getAllByText('This cannot be undone.')).toHaveLength(1);
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: /^Mark 2 claims Paid ·/ });
  expect(confirm.disabled).toBe(true);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(state.ran).toEqual([]);
  show((row) => row.textContent === changed.sentence);
  expect(dialog.getByText(/1 claim with warnings not looked at yet/)).toBeTruthy();
  expect(confirm.disabled).toBe(true);
  showAllRows();
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([]);
});

test('the list of warnings counts as looked at once it was scrolled through', async () => {
  const state = serverBatches({ status: 'Paid' });
  state.claims = [
    batchClaim(1, 'Rahul Nair', [changed, first]),
    batchClaim(2, 'Sneha Sharma', [first]),
  ];
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid? 2 have warnings');
  await user.click(dialog.getByRole('button', { name: 'List all warnings' }));
  expect(dialog.getByRole('heading', { name: 'First payout, 2' })).toBeTruthy();
  expect(dialog.getByText(changed.sentence)).toBeTruthy();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: /^Mark 2 claims Paid ·/ });
  expect(confirm.disabled).toBe(true);
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(3));
  showAllRows();
  await waitFor(() => expect(confirm.disabled).toBe(false));
});

test('an acceptance shows the warnings and has no references', async () => {
  const state = serverBatches();
  state.claims = [batchClaim(1, 'Rahul Nair', [first]), batchClaim(2, 'Sneha Sharma')];
  const { user, dialog } = await open('Accept…', 'Accept 2 claims? 1 has warnings');
  await openedConfirm();
  expect(dialog.queryByRole('textbox', { name: /Bank reference/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Accept 2 claims · ₹8,000' }));
  await waitFor(() => expect(state.ran).toEqual(['b1']));
});

test('claims can be filtered and removed, and the sum follows', async () => {
  const state = serverBatches();
  state.claims = [batchClaim(1, 'Rahul Nair', [first]), batchClaim(2, 'Sneha Sharma')];
  const { user, dialog } = await open('Accept…', /^Accept 2 claims/);
  await openedConfirm();
  const names = () => dialog.getAllByRole('rowheader').map((cell) => cell.textContent);
  await user.type(dialog.getByRole('searchbox', { name: 'Filter these claims' }), 'sneha');
  expect(names()).toEqual(['C-10002']);
  await user.clear(dialog.getByRole('searchbox', { name: 'Filter these claims' }));
  await user.click(dialog.getByRole('button', { name: 'First payout 1' }));
  expect(names()).toEqual(['C-10001']);
  await user.click(dialog.getByRole('button', { name: 'Remove C-10001, Rahul Nair, ₹4,000.00' }));
  expect(screen.getByRole('heading', { name: 'Accept 1 claim?' })).toBeTruthy();
  expect(dialog.getByText('1 of 2 claims will become Accepted.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Accept 1 claim · ₹4,000' }));
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([{ batch: 'b1', references: {}, without: ['c1'] }]);
});

test('one paste fills all references, and they are sent with the confirmation', async () => {
  const state = serverBatches({ status: 'Paid', needsReference: true });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  const confirm = dialog.getByRole('button', { name: /^Mark 2 claims Paid ·/ });
  await user.click(confirm);
  expect(dialog.getAllByText('A payment needs its bank reference.')).toHaveLength(2);
  paste('N111111\nN111111\n');
  expect(dialog.getByText('Also entered for C-10002.')).toBeTruthy();
  await user.click(confirm);
  expect(state.confirmations).toEqual([]);
  paste('C-10002\tN222222\nC-10001\tn 111-111');
  expect(dialog.queryByText(/Also entered/)).toBeNull();
  await user.click(confirm);
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([
    { batch: 'b1', references: { c1: 'n 111-111', c2: 'N222222' }, without: [] },
  ]);
});

test('lines that match no claim are reported, and nothing is sent', async () => {
  const state = serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  paste('N111111\nN222222\nN333333');
  expect(dialog.getByText('1 more line pasted than there are claims.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: /^Mark 2 claims Paid ·/ }));
  expect(dialog.getByText('1 reference to check.')).toBeTruthy();
  expect(state.ran).toEqual([]);
  expect(document.activeElement).toBe(
    dialog.getByRole('textbox', { name: 'Bank reference of C-10002, Sneha Sharma' }),
  );
});

test('Enter moves to the next reference', async () => {
  const state = serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  const [one, two] = dialog.getAllByRole('textbox', { name: /Bank reference/ });
  await user.type(one as HTMLElement, 'N111111{Enter}');
  expect(document.activeElement).toBe(two);
  expect(state.ran).toEqual([]);
});

test('a lost answer is asked for again, and a retry of skipped claims keeps their references', async () => {
  const state = serverBatches({ status: 'Paid' }, [outcomeOf(1, 0, 1)]);
  server.use(http.post('*/api/batches/confirm', () => HttpResponse.error(), { once: true }));
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  paste('N111111\nN222222');
  await user.click(dialog.getByRole('button', { name: /^Mark 2 claims Paid ·/ }));
  const end = within(await screen.findByRole('dialog', { name: '1 done, 1 not' }));
  expect(state.confirmations).toHaveLength(1);
  state.claims = [batchClaim(2, 'Sneha Sharma')];
  await user.click(end.getByRole('button', { name: 'Retry these…' }));
  const again = await screen.findByRole<HTMLInputElement>('textbox', { name: /Bank reference/ });
  expect(again.value).toBe('N222222');
});
