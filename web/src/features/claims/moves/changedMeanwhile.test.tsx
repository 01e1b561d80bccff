import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { moved, openLive } from '../../../testing/liveServer';
import { enter, openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { detailsOf } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';
import { formatMoment } from '../../../ui/text/dates';

const when = formatMoment('2026-11-15T02:52:00Z');

/** A live screen, with the dialog of this key open on the first claim. */
async function ask(key: string, status: 'Pending' | 'Accepted' = 'Accepted') {
  const state = serverMoves([claimOf(1, status), claimOf(2, status)]);
  const app = await openLive('/Withdraw');
  await app.user.keyboard(`j${key}`);
  await screen.findByRole(key === 'p' ? 'alertdialog' : 'dialog');
  const elsewhere = (to: Parameters<typeof state.moveElsewhere>[1], by = 'ravi') => {
    state.moveElsewhere('c1', to, by);
    app.live.sendEvent('change', moved('c1', to, state.claims[0]?.version ?? 0, by));
  };
  return { ...app, state, elsewhere };
}

const confirmButton = (name: string) => {
  const dialog = within(document.querySelector('dialog[open]') as HTMLElement);
  return dialog.getByRole<HTMLButtonElement>('button', { name });
};

test('a claim that is paid elsewhere while its confirmation is open can no longer be paid there', async () => {
  const { user, state, elsewhere } = await ask('p');
  const confirm = await openedConfirm();
  elsewhere('Paid');
  expect(await confirm.findByText(`ravi moved this claim to Paid on ${when}.`)).toBeTruthy();
  expect(confirm.getByRole('heading', { name: 'This claim has changed' })).toBeTruthy();
  expect(confirm.queryByText('This cannot be undone.')).toBeNull();
  const pay = confirm.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ });
  expect(pay.disabled).toBe(true);
  fireEvent.keyDown(document.activeElement as Element, { key: 'p' });
  fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', ctrlKey: true });
  await user.click(confirm.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.puts).toEqual([]);
});

test('a move by the same admin in another window is also reported by name', async () => {
  const { elsewhere } = await ask('p');
  const confirm = await openedConfirm();
  elsewhere('Paid', 'asha');
  expect(await confirm.findByText(`asha moved this claim to Paid on ${when}.`)).toBeTruthy();
});

test('a claim that is gone while its confirmation is open can no longer be paid there', async () => {
  const { live } = await ask('p');
  const confirm = await openedConfirm();
  server.use(http.get('*/api/claims/c1', () => refusal(404, 'claim_not_found', 'No such claim.')));
  live.sendEvent('change', moved('c1', 'Paid', 1));
  expect(await confirm.findByText('This claim can no longer become Paid.')).toBeTruthy();
  expect(confirmButton('Paid Success').disabled).toBe(true);
});

test('the admin who moved the claim is named even if the details were requested before the move', async () => {
  const old = detailsOf(claimOf(1, 'Accepted'));
  const state = serverMoves([claimOf(1, 'Accepted')]);
  const { user, live } = await openLive('/Withdraw');
  const answerLate = async () => {
    await delay(800);
    return HttpResponse.json(old);
  };
  server.use(http.get('*/api/claims/:id/details', answerLate, { once: true }));
  await user.keyboard('jp');
  await screen.findByRole('alertdialog');
  state.moveElsewhere('c1', 'Paid');
  live.sendEvent('change', moved('c1', 'Paid', 1));
  expect(await screen.findByText(`ravi moved this claim to Paid on ${when}.`)).toBeTruthy();
});

test('a claim that was moved away and back counts as changed and must be confirmed again', async () => {
  const { state, elsewhere } = await ask('p');
  await openedConfirm();
  state.moveElsewhere('c1', 'Pending');
  elsewhere('Accepted');
  expect(await screen.findByText(`ravi moved this claim to Accepted on ${when}.`)).toBeTruthy();
  expect(confirmButton('Paid Success').disabled).toBe(true);
});

test.each([
  ['p', 'Bank reference (UTR), optional', 'Paid Success'],
  ['r', 'Reason', 'Reject'],
])(
  'what was typed for %s stays visible, and is marked as not recorded',
  async (key, label, button) => {
    const { user, state, elsewhere } = await ask(key);
    await user.type(screen.getByLabelText(label), 'N319 2600');
    elsewhere('On hold');
    await screen.findByText(`ravi moved this claim to On hold on ${when}.`);
    const field = screen.getByLabelText<HTMLInputElement>(label);
    expect([field.value, field.readOnly]).toEqual(['N319 2600', true]);
    expect(screen.getByText('This was not recorded.')).toBeTruthy();
    expect(confirmButton(button).disabled).toBe(true);
    await user.type(field, '{Enter}');
    expect(state.puts).toEqual([]);
  },
);

test('when the focused button is gone the dialog has the focus, so that only Escape and Close work', async () => {
  const { elsewhere } = await ask('p');
  const confirm = await openedConfirm();
  confirm.getByRole('button', { name: /^Paid Success/ }).focus();
  elsewhere('Paid');
  await confirm.findByRole('button', { name: 'Close' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alertdialog')));
});

test('a reason that was sent too late stays visible, with the admin who was first', async () => {
  const state = serverMoves([claimOf(1)]);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jr');
  const dialog = within(await screen.findByRole('dialog'));
  state.moveElsewhere('c1', 'Accepted');
  await enter(user, dialog.getByLabelText('Reason'), 'Not his account');
  expect(await dialog.findByText(`ravi moved this claim to Accepted on ${when}.`)).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('Not his account');
  await (await rowOf('Client 1')).findByText('Accepted');
  expect(state.puts).toHaveLength(1);
});

test('a claim that this admin has paid in another window is not reported as paid just now', async () => {
  const state = serverMoves([claimOf(1, 'Accepted')]);
  const { user } = openApp('/Withdraw');
  const row = await rowOf('Client 1');
  await user.click(row.getByRole('button', { name: /^Paid Success/ }));
  const confirm = await openedConfirm();
  state.moveElsewhere('c1', 'Paid', 'asha');
  await user.click(confirm.getByRole('button', { name: /^Paid Success/ }));
  const notice = 'The claim of Client 1 (₹7,967.56) was Paid already. Nothing was changed.';
  expect(await screen.findByText(notice)).toBeTruthy();
  expect(screen.getByText(`You moved this claim to Paid on ${when}.`)).toBeTruthy();
  expect(screen.queryByText(/is now Paid/)).toBeNull();
  expect(await row.findByText('Paid')).toBeTruthy();
});

test('an open menu offers no more moves once the claim was moved elsewhere', async () => {
  const state = serverMoves([claimOf(1)]);
  const { user, live } = await openLive('/Withdraw');
  await user.keyboard('jm');
  const menu = within(await screen.findByRole('menu'));
  state.moveElsewhere('c1', 'On hold');
  live.sendEvent('change', moved('c1', 'On hold', 1));
  await waitFor(() =>
    expect(menu.getByRole('menuitem', { name: /Reject/ }).getAttribute('aria-disabled')).toBe(
      'true',
    ),
  );
  expect(await menu.findAllByText(`ravi moved this claim to On hold on ${when}.`)).toHaveLength(2);
  await user.keyboard('r');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the confirmation shows what stands out about the claim, as the panel does', async () => {
  await ask('p');
  const confirm = await openedConfirm();
  expect(await confirm.findByText('Nothing was ever paid to this account.')).toBeTruthy();
});

test('a payment that is refused to this admin says so before the button is pressed', async () => {
  const claim = claimOf(1, 'Accepted');
  const state = serverMoves([claim]);
  const blocked = [{ status: 'Paid' as const, sentence: 'You accepted it: another must pay it.' }];
  server.use(
    http.get('*/api/claims/:id/details', () => HttpResponse.json({ ...detailsOf(claim), blocked })),
  );
  const { user } = openApp('/Withdraw');
  await user.click((await rowOf('Client 1')).getByRole('button', { name: /^Paid Success/ }));
  const confirm = within(await screen.findByRole('alertdialog'));
  expect(await confirm.findByText('You accepted it: another must pay it.')).toBeTruthy();
  fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', ctrlKey: true });
  expect(confirm.getByRole<HTMLButtonElement>('button', { name: /^Paid Success/ }).disabled).toBe(
    true,
  );
  expect(state.puts).toEqual([]);
});

test('a claim can still be paid when its details cannot be loaded, and the dialog says so', async () => {
  const state = serverMoves([claimOf(1, 'Accepted')]);
  server.use(http.get('*/api/claims/:id/details', () => refusal(403, 'forbidden', 'Not now.')));
  const { user } = openApp('/Withdraw');
  await user.click((await rowOf('Client 1')).getByRole('button', { name: /^Paid Success/ }));
  const confirm = await openedConfirm();
  expect(await confirm.findByText('The warnings of this claim could not be loaded.')).toBeTruthy();
  await user.click(confirm.getByRole('button', { name: /^Paid Success/ }));
  await waitFor(() => expect(state.claims[0]?.status).toBe('Paid'));
});
