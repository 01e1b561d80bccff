import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { batchClaim, outcomeOf, serverBatches } from '../../../testing/batchServer';
import { openApp, openedConfirm } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const changed = {
  id: 'account_changed:1762300800',
  code: 'account_changed' as const,
  sentence: 'The last claim, on 2 Nov 2026, named another account: 0099, IFSC SBIN0000456.',
};
const first = {
  id: 'first_payout:0',
  code: 'first_payout' as const,
  sentence: 'First payout to this account.',
};

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

async function open(action: 'Accept…' | 'Paid…', name: string | RegExp, path = '/Withdraw') {
  vi.stubGlobal('IntersectionObserver', Views);
  const app = openApp(path);
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
  expect(dialog.queryByRole('button', { name: /^All warnings/ })).toBeNull();
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
  paste('C-10002\tN222222\nC-10001\tn-111111');
  expect(dialog.queryByText('A payment needs its bank reference.')).toBeNull();
  await user.click(confirm);
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([
    { batch: 'b1', references: { c1: 'n-111111', c2: 'N222222' }, without: [] },
  ]);
});

const fieldsIn = (dialog: { getAllByRole: typeof screen.getAllByRole }) =>
  dialog
    .getAllByRole<HTMLInputElement>('textbox', { name: /Bank reference/ })
    .map(({ value }) => value);

test('a single column says which order it assumed, and waits for an answer', async () => {
  const state = serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: /^Mark 2 claims Paid ·/ });
  await user.type(dialog.getAllByRole('textbox', { name: /Bank reference/ })[0] as Element, 'N9');
  paste('N111111\nN222222\n');
  expect(
    dialog.getByText(
      /^Line 1 is taken for C-10001, the first row: the order of the list, newest first\./,
    ),
  ).toBeTruthy();
  expect(fieldsIn(dialog)).toEqual(['N111111', 'N222222']);
  expect(dialog.getByText('Line 2')).toBeTruthy();
  expect(confirm.disabled).toBe(true);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.click(dialog.getByRole('button', { name: 'Undo the paste' }));
  expect(fieldsIn(dialog)).toEqual(['N9', '']);
  paste('N111111\nN222222\n');
  await user.click(dialog.getByRole('button', { name: 'The rows are right' }));
  await openedConfirm();
  expect(dialog.queryByText(/is taken for/)).toBeNull();
  expect(dialog.getByText(/2 references pasted\./)).toBeTruthy();
  expect(state.ran).toEqual([]);
  await user.click(confirm);
  await waitFor(() => expect(state.ran).toEqual(['b1']));
});

test('a refused paste says what disagrees and changes nothing', async () => {
  const state = serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  paste('C-10001\tN111111\nC-10002\tN222222');
  for (const [text, sentence] of [
    ['N333333\nN444444\nN555555', /^The paste has 3 references, and this sheet has 2 claims\./],
    ['N333333\nN333333', 'Lines 1 and 2 have the same reference, N333333.'],
    ['C-10001\tN333333\nC-77777\tN444444', 'Line 2: C-77777 is not in this sheet.'],
    [
      'C-10001\t₹4,000.00\tN333333\nC-10002\t₹4,000.50\tN444444',
      'Line 2: C-10002 is over ₹4,000.00, and the paste says ₹4,000.50.',
    ],
  ] as const) {
    paste(text);
    expect(dialog.getByText(sentence)).toBeTruthy();
    expect(fieldsIn(dialog)).toEqual(['N111111', 'N222222']);
  }
  await user.click(dialog.getByRole('button', { name: 'Dismiss' }));
  expect(dialog.queryByText(/The paste was refused/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Undo the paste' }));
  expect(fieldsIn(dialog)).toEqual(['', '']);
  expect(state.ran).toEqual([]);
});

test('lines that are dropped on a field are not joined to one reference', async () => {
  serverBatches({ status: 'Paid' });
  const { dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  const [field] = dialog.getAllByRole('textbox', { name: /Bank reference/ });
  const event = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { getData: () => 'N111111\nN222222\nN333333' } });
  fireEvent(field as Element, event);
  expect(event.defaultPrevented).toBe(true);
  expect(dialog.getByText(/^The paste has 3 references/)).toBeTruthy();
});

test('undo keeps what was typed after the paste, and a removed claim does not shift the others', async () => {
  const state = serverBatches({ status: 'Paid' });
  state.claims = [1, 2, 3].map((place) => batchClaim(place, `Client ${place}`));
  const { user, dialog } = await open('Paid…', 'Mark 3 claims Paid?');
  await openedConfirm();
  paste('N111111\nN222222\nN333333');
  await user.click(dialog.getByRole('button', { name: /^Remove C-10001/ }));
  expect(fieldsIn(dialog)).toEqual(['N222222', 'N333333']);
  const [field] = dialog.getAllByRole('textbox', { name: /Bank reference/ });
  await user.type(field as Element, '7');
  await user.click(dialog.getByRole('button', { name: 'Undo the paste' }));
  expect(fieldsIn(dialog)).toEqual(['N2222227', '']);
});

test('what a paste has asked is asked again when the paste after it is undone', async () => {
  serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: /^Mark 2 claims Paid ·/ });
  paste('N222222\nN111111');
  paste('C-10001\tN111111\nC-10002\tN222222');
  expect(dialog.queryByText(/is taken for/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Undo the paste' }));
  expect(fieldsIn(dialog)).toEqual(['N222222', 'N111111']);
  expect(dialog.getByText(/^Line 1 is taken for C-10001/)).toBeTruthy();
  expect(dialog.getByText('Line 2')).toBeTruthy();
  expect(confirm.disabled).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Undo the paste' }));
  expect(fieldsIn(dialog)).toEqual(['', '']);
});

test('a claim that is put back has no reference of a paste before the last', async () => {
  serverBatches({ status: 'Paid' });
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  paste('N222222\nN111111');
  await user.click(dialog.getByRole('button', { name: /^Remove C-10001/ }));
  paste('C-10002\tN333333');
  await user.click(dialog.getByRole('button', { name: /^Put/ }));
  expect(fieldsIn(dialog)).toEqual(['', 'N333333']);
});

test('the sheet asks for its claims in the order of the list', async () => {
  const asked: (string | null)[] = [];
  serverBatches({ status: 'Paid' });
  server.use(
    http.get('*/api/batches/:id/claims', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('sort'));
      return HttpResponse.json([batchClaim(1, 'Rahul Nair'), batchClaim(2, 'Sneha Sharma')]);
    }),
  );
  const { dialog } = await open('Paid…', 'Mark 2 claims Paid?', '/Withdraw?sort=-amount');
  paste('N111111\nN222222\n');
  expect(asked).toEqual(['-amount']);
  expect(dialog.getByText(/the order of the list, by amount, largest first\./)).toBeTruthy();
});

test('a lost answer is asked for again, and a retry of skipped claims keeps their references', async () => {
  const state = serverBatches({ status: 'Paid' }, [outcomeOf(1, 0, 1)]);
  server.use(http.post('*/api/batches/confirm', () => HttpResponse.error(), { once: true }));
  const { user, dialog } = await open('Paid…', 'Mark 2 claims Paid?');
  await openedConfirm();
  paste('C-10001\tN111111\nC-10002\tN222222');
  await user.click(dialog.getByRole('button', { name: /^Mark 2 claims Paid ·/ }));
  const end = within(await screen.findByRole('dialog', { name: '1 done, 1 not' }));
  expect(state.confirmations).toHaveLength(1);
  state.claims = [batchClaim(2, 'Sneha Sharma')];
  await user.click(end.getByRole('button', { name: 'Retry these…' }));
  const again = await screen.findByRole<HTMLInputElement>('textbox', { name: /Bank reference/ });
  expect(again.value).toBe('N222222');
});
