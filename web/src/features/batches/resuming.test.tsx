import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import {
  askedOfRun,
  halfDone,
  openLines,
  outcomeOf,
  serverBatches,
} from '../../testing/batchServer';
import { enter } from '../../testing/openApp';
import { account } from '../../testing/sampleData';
import { server } from '../../testing/server';

test('a batch that stopped half-way is shown after a reload and can be resumed to its end', async () => {
  const state = serverBatches({}, [outcomeOf(10_000, 0)]);
  state.unfinished = [halfDone];
  const { user, batches } = await openLines();
  expect(await batches.findByText('A batch stopped half-way: 6,200 of 10,000 done')).toBeTruthy();
  expect(state.ran).toEqual([]);
  await user.click(batches.getByRole('button', { name: 'Resume' }));
  expect(
    await batches.findByRole('button', { name: 'Dismiss: 10,000 claims accepted.' }),
  ).toBeTruthy();
  expect(state.ran).toEqual(['b9']);
});

test('a batch that is running in another window is not shown as stopped', async () => {
  const state = serverBatches();
  state.unfinished = [halfDone];
  const { batches } = await openLines();
  await waitFor(() => expect(state.looks).toBe(1));
  state.unfinished = [{ ...halfDone, outcome: outcomeOf(7_000, 3_000) }];
  await waitFor(() => expect(state.looks).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(batches.queryByText(/stopped half-way/)).toBeNull();
});

test('payments are resumed with a second factor; whoever gives none can resume them later', async () => {
  const state = serverBatches({}, ['asks', 'asks', outcomeOf(10_000, 0)]);
  state.unfinished = [{ ...halfDone, status: 'Paid' }];
  const confirmed: unknown[] = [];
  server.use(
    http.get('*/api/admin/account', () => HttpResponse.json({ ...account, hasTotp: true })),
    http.post('*/api/admin/step-up', async ({ request }) => {
      confirmed.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, batches } = await openLines();
  const resume = async () => {
    await user.click(await batches.findByRole('button', { name: 'Resume' }));
    return within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  };
  await user.click((await resume()).getByRole('button', { name: 'Cancel' }));
  const refused = within(await screen.findByRole('dialog', { name: /stopped half-way/ }));
  expect((await refused.findByRole('alert')).textContent).toBe('Confirm it.');
  expect(state.ran).toEqual(['b9']);
  await user.click(refused.getByRole('button', { name: 'Close' }));
  const code = (await resume()).getByLabelText('Code from your authenticator app');
  await enter(user, code, '492039');
  const done = 'Dismiss: 10,000 claims marked Paid.';
  expect(await batches.findByRole('button', { name: done })).toBeTruthy();
  expect(confirmed).toEqual([{ ...askedOfRun, code: '492039' }]);
  expect(state.ran).toEqual(['b9', 'b9', 'b9']);
});
