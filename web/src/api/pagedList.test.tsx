import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serverHasUsers } from '../testing/longList';
import { openApp } from '../testing/openApp';

const table = () => screen.getByRole('table');

function scrollToRow(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

async function openUsers() {
  const app = openApp('/reg');
  await screen.findByText('User 1');
  return app;
}

test('a long list is read page by page, and the rows do not wait for the totals', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  expect(state.reads).toEqual([{ limit: '50' }]);
  expect(table().getAttribute('aria-rowcount')).toBe('20001');
});

test('scrolling down reads the next pages by cursor', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(30);
  await waitFor(() => expect(state.reads[1]).toEqual({ limit: '50', cursor: '50' }));
  scrollToRow(120);
  expect(await screen.findByText('User 121')).toBeTruthy();
});

test('a jump to the middle requests that page with a skip from the first page', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(10_010);
  expect(screen.queryByText('User 10011')).toBeNull();
  expect(await screen.findByText('User 10011')).toBeTruthy();
  expect(state.reads[1]).toEqual({ limit: '50', cursor: '50', skip: '9950' });
  // Rows are numbered by their position in the list after a jump too.
  expect(screen.getByText('10,011')).toBeTruthy();
});

test('the last row can be reached', async () => {
  serverHasUsers(1_234);
  await openUsers();
  scrollToRow(1_230);
  expect(await screen.findByText('User 1234')).toBeTruthy();
});

test('dragging the scrollbar does not request the pages it passes', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  for (const index of [3_000, 6_000, 9_000, 12_010]) scrollToRow(index);
  await screen.findByText('User 12011');
  expect(state.reads[1]).toEqual({ limit: '50', cursor: '50', skip: '11950' });
});

test('rows appear even during continuous wheel scrolling', async () => {
  serverHasUsers(20_000);
  await openUsers();
  const user = /^User [123]\d{3}$/;
  for (let row = 1_000; row < 4_000 && screen.queryAllByText(user).length === 0; row += 20) {
    scrollToRow(row);
    await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
  }
  expect(screen.getAllByText(user).length).toBeGreaterThan(0);
});

test('a page that fails to load shows the error in its rows, and Retry loads it', async () => {
  const state = serverHasUsers(20_000);
  const { user } = await openUsers();
  state.fails = (query) => query.skip !== undefined;
  scrollToRow(10_010);
  const [trouble] = await screen.findAllByText('These users could not be loaded. Away.');
  expect(trouble?.closest('[role="row"]')).toBeTruthy();
  state.fails = () => false;
  await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
  expect(await screen.findByText('User 10011')).toBeTruthy();
});

test('new rows at the top do not shift the list: a button announces them and shows them', async () => {
  const state = serverHasUsers(20_000);
  state.newest = 4;
  const { user, queryClient } = openApp('/reg');
  await screen.findByText('User 4');
  state.newest = 1;
  await act(() => queryClient.refetchQueries({ queryKey: ['users', 'rows'] }));
  const pill = await screen.findByRole('button', { name: '3 new users above' });
  expect(screen.getByText('User 4').closest('[role="row"]')?.getAttribute('aria-rowindex')).toBe(
    '2',
  );
  expect(screen.queryByText('User 1')).toBeNull();
  await user.click(pill);
  expect(screen.getByText('User 1').closest('[role="row"]')?.getAttribute('aria-rowindex')).toBe(
    '2',
  );
  expect(screen.queryByRole('button', { name: /above$/ })).toBeNull();
  expect(document.activeElement).toBe(table());
});

test('pages read before and after new rows arrived are consistent', async () => {
  const state = serverHasUsers(20_000);
  state.newest = 51;
  openApp('/reg');
  await screen.findByText('User 51');
  state.newest = 1;
  scrollToRow(100);
  // Row 101 of the original list, not of the list with the 50 new rows on top.
  expect(
    (await screen.findByText('User 151')).closest('[role="row"]')?.getAttribute('aria-rowindex'),
  ).toBe('102');
});

test('after a jump to two pages, the second one is read by the cursor of the first', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(10_040);
  expect(await screen.findByText('User 10051')).toBeTruthy();
  expect(state.reads.slice(1, 3)).toEqual([
    { limit: '50', cursor: '50', skip: '9950' },
    { limit: '50', cursor: '10050' },
  ]);
});

test('if the count is unknown, the list continues as long as there are pages', async () => {
  const state = serverHasUsers(450, { tellsCount: false });
  state.totals = { count: 200, isExact: false };
  await openUsers();
  scrollToRow(190);
  await screen.findByText('User 200');
  await waitFor(() =>
    expect(Number(table().getAttribute('aria-rowcount'))).toBeGreaterThanOrEqual(252),
  );
});
