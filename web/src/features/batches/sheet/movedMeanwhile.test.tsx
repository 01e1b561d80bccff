import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serverBatches } from '../../../testing/batchServer';
import { moved, openLive } from '../../../testing/liveServer';
import { openedConfirm } from '../../../testing/openApp';

async function openSheet() {
  const state = serverBatches({ status: 'Paid' });
  const app = await openLive('/Withdraw');
  await app.user.click(await screen.findByRole('checkbox', { name: 'Select Rahul Nair' }));
  await app.user.click(await screen.findByRole('button', { name: 'Paid…' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Mark 2 claims Paid?' }));
  await openedConfirm();
  return { ...app, state, dialog };
}

test('a claim that another admin moves while the sheet is open is marked and left out', async () => {
  const { user, live, state, dialog } = await openSheet();
  live.sendEvent('change', moved('c1', 'Paid', 2));
  expect(await dialog.findByText('Paid by ravi just now. Left out.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Mark 1 claim Paid?' })).toBeTruthy();
  expect(dialog.getByText(/1 claim changed meanwhile, left out\./)).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /^Remove C-10001/ })).toBeNull();

  // A single column is matched by order: the marked row keeps its place and takes its line.
  const one = dialog.getByRole<HTMLInputElement>('textbox', { name: /C-10001/ });
  expect(one.readOnly).toBe(true);
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => 'N111111\nN222222' } });
  document.body.dispatchEvent(event);
  await waitFor(() => expect(one.value).toBe('N111111'));

  await user.click(dialog.getByRole('button', { name: 'The rows are right' }));
  await openedConfirm();
  await user.click(dialog.getByRole('button', { name: 'Mark 1 claim Paid · ₹4,000' }));
  await waitFor(() => expect(state.ran).toEqual(['b1']));
  expect(state.confirmations).toEqual([
    { batch: 'b1', references: { c2: 'N222222' }, without: ['c1'] },
  ]);
});

test('an event about the version that was planned changes nothing', async () => {
  const { live, dialog } = await openSheet();
  live.sendEvent('change', moved('c2', 'Accepted', 1));
  live.sendEvent('change', { ...moved('c1', 'Accepted', 2), verb: 'claim.corrected' }, 2);
  expect(await dialog.findByText('Changed by ravi just now. Left out.')).toBeTruthy();
  expect(dialog.getAllByText(/Left out/)).toHaveLength(1);
});
