import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { outcomeOf, serverBatches } from '../../testing/batchServer';
import { openDesk } from '../../testing/desk';

const half = {
  _id: 'b9',
  status: 'Accepted' as const,
  count: 10_000,
  outcome: outcomeOf(6_200, 3_800),
};

async function openData() {
  const desk = openDesk('/Data');
  await screen.findByText('Rahul Nair');
  // The admin turns to the tools: what is not needed at first comes with them.
  await desk.user.click(screen.getByRole('searchbox'));
  return { ...desk, batches: within(await screen.findByRole('region', { name: 'Batches' })) };
}

test('a batch that stopped half-way is told after a reload, and resumed to its end', async () => {
  const state = serverBatches({}, [outcomeOf(10_000, 0)]);
  state.unfinished = [half];
  const { user, batches } = await openData();
  expect(await batches.findByText('A batch stopped half-way: 6,200 of 10,000 done')).toBeTruthy();
  expect(state.ran).toEqual([]);
  await user.click(batches.getByRole('button', { name: 'Resume' }));
  expect(
    await screen.findByRole('dialog', { name: 'All 10,000 claims are now Accepted' }),
  ).toBeTruthy();
  expect(state.ran).toEqual(['b9']);
});

test('a batch that moves in another window is no batch that stopped', async () => {
  const state = serverBatches();
  state.unfinished = [half];
  const { batches } = await openData();
  await waitFor(() => expect(state.looks).toBe(1));
  state.unfinished = [{ ...half, outcome: outcomeOf(7_000, 3_000) }];
  await waitFor(() => expect(state.looks).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(batches.queryByText(/stopped half-way/)).toBeNull();
});
