import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../testing/desk';
import { serverHasUsers } from '../testing/longList';

const table = () => screen.getByRole('table');

function scrollToRow(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

async function openUsers() {
  const desk = openDesk('/reg');
  await screen.findByText('User 1');
  return desk;
}

test('a long list is read by pages, and the rows never wait for the totals', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  expect(state.reads).toEqual([{ limit: '50' }]);
  expect(table().getAttribute('aria-rowcount')).toBe('20001');
});

test('reading on goes from page to page by cursor', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(30);
  await waitFor(() => expect(state.reads[1]).toEqual({ limit: '50', cursor: '50' }));
  scrollToRow(120);
  expect(await screen.findByText('User 121')).toBeTruthy();
});

test('a jump to the middle asks for that page, from the first page on', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(10_010);
  expect(screen.queryByText('User 10011')).toBeNull();
  expect(await screen.findByText('User 10011')).toBeTruthy();
  expect(state.reads[1]).toEqual({ limit: '50', cursor: '50', skip: '9950' });
  // Numbered by their place, also there.
  expect(screen.getByText('10,011')).toBeTruthy();
});

test('the last row can be reached', async () => {
  serverHasUsers(1_234);
  await openUsers();
  scrollToRow(1_230);
  expect(await screen.findByText('User 1234')).toBeTruthy();
});

test('pages that a drag of the scrollbar only passes are not asked for', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  for (const index of [3_000, 6_000, 9_000, 12_010]) scrollToRow(index);
  await screen.findByText('User 12011');
  expect(state.reads[1]).toEqual({ limit: '50', cursor: '50', skip: '11950' });
});

test('rows come also while the wheel never rests', async () => {
  serverHasUsers(20_000);
  await openUsers();
  const user = /^User [123]\d{3}$/;
  for (let row = 1_000; row < 4_000 && screen.queryAllByText(user).length === 0; row += 20) {
    scrollToRow(row);
    await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
  }
  expect(screen.getAllByText(user).length).toBeGreaterThan(0);
});

test('a page that fails says so among its rows, and Retry brings it', async () => {
  const state = serverHasUsers(20_000);
  const { user } = await openUsers();
  state.fails = (query) => query.skip !== undefined;
  scrollToRow(10_010);
  const [told] = await screen.findAllByText('These users could not be loaded. Away.');
  expect(told?.closest('[role="row"]')).toBeTruthy();
  state.fails = () => false;
  await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
  expect(await screen.findByText('User 10011')).toBeTruthy();
});

test('new rows on top move nothing: they wait behind a pill that brings them in', async () => {
  const state = serverHasUsers(20_000);
  state.newest = 4;
  const { user, queryClient } = openDesk('/reg');
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

test('pages read before and after new rows came still fit together', async () => {
  const state = serverHasUsers(20_000);
  state.newest = 51;
  openDesk('/reg');
  await screen.findByText('User 51');
  state.newest = 1;
  scrollToRow(100);
  // Row 101 of the list as it was, not of the list as it would be with 50 rows more on top.
  expect(
    (await screen.findByText('User 151')).closest('[role="row"]')?.getAttribute('aria-rowindex'),
  ).toBe('102');
});

test('of two pages in view after a jump the second one follows from the first, by cursor', async () => {
  const state = serverHasUsers(20_000);
  await openUsers();
  scrollToRow(10_040);
  expect(await screen.findByText('User 10051')).toBeTruthy();
  expect(state.reads.slice(1, 3)).toEqual([
    { limit: '50', cursor: '50', skip: '9950' },
    { limit: '50', cursor: '10050' },
  ]);
});

test('where the count is not known the list goes on as long as there are pages', async () => {
  const state = serverHasUsers(450, { tellsCount: false });
  state.totals = { count: 200, isExact: false };
  await openUsers();
  scrollToRow(190);
  await screen.findByText('User 200');
  await waitFor(() =>
    expect(Number(table().getAttribute('aria-rowcount'))).toBeGreaterThanOrEqual(252),
  );
});
