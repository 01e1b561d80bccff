import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { halfDone, openLines, outcomeOf, serverBatches } from '../../testing/batchServer';

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
