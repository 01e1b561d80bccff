import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { halfDone, openLines, serverBatches } from '../../testing/batchServer';
import { refusal, server } from '../../testing/server';
import { batchStore } from './batchStore';

const question = { name: 'Leave this batch half done?' };

async function askToLeave() {
  const state = serverBatches({
    problems: {
      count: 3_800,
      items: [
        { _id: 'c2', username: 'Sneha Sharma', amount: 500, outcome: 'skipped', why: 'You left.' },
      ],
    },
  });
  state.unfinished = [halfDone];
  const { batches, ...app } = await openLines();
  await app.user.click(await batches.findByRole('button', { name: /^Leave it: A batch stopped/ }));
  const dialog = within(await screen.findByRole('alertdialog', question));
  const leave = async () => {
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Leave it' });
    await waitFor(() => expect(button.disabled).toBe(false));
    await app.user.click(button);
  };
  return { ...app, state, batches, dialog, leave };
}

test('a stopped batch can be left half done, after the dialog explains what that means', async () => {
  const { user, state, batches, dialog, leave } = await askToLeave();
  expect(dialog.getByText('6,200 claims were moved to Accepted, and stay moved.')).toBeTruthy();
  expect(dialog.getByText('3,800 claims stay as they are, and can be chosen again.')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  expect(state.left).toEqual([]);
  await leave();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(state.left).toEqual(['b9']);
  expect(state.ran).toEqual([]);

  const seen = { ignore: '[role=status] *' };
  expect(await batches.findByText('6,200 done, 3,800 not', seen)).toBeTruthy();
  expect(batches.queryByRole('button', { name: 'Resume' })).toBeNull();
  await user.click(batches.getByRole('button', { name: 'Show' }));
  const end = within(await screen.findByRole('dialog', { name: '6,200 done, 3,800 not' }));
  expect(end.getByText('You left.')).toBeTruthy();
  await user.click(end.getByRole('button', { name: 'Close' }));
  expect(batches.queryByRole('button')).toBeNull();
});

test('Cancel leaves the batch unchanged', async () => {
  const { user, state, batches, dialog } = await askToLeave();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.left).toEqual([]);
  expect(batches.getByRole('button', { name: 'Resume' })).toBeTruthy();
});

test('when leaving fails, the dialog stays open and says why', async () => {
  const { state, dialog, leave } = await askToLeave();
  server.use(
    http.post('*/api/batches/:id/leave', () => refusal(503, 'database_unavailable', 'Away.'), {
      once: true,
    }),
  );
  await leave();
  expect(await dialog.findByText('Away.')).toBeTruthy();
  await leave();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(state.left).toEqual(['b9']);
});

test('a batch of this page that gets no more responses can be left too', async () => {
  serverBatches();
  const { user, batches } = await openLines();
  const { _id: id, count, outcome } = halfDone;
  act(() => batchStore.add({ id, target: 'Accepted', count, outcome, phase: 'stopped' }));
  expect(await batches.findByRole('button', { name: 'Resume' })).toBeTruthy();
  await user.click(batches.getByRole('button', { name: /^Leave it: / }));
  expect(await screen.findByRole('alertdialog', question)).toBeTruthy();
});
