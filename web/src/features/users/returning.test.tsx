import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { expect, test } from 'vitest';
import { serverHasUsers } from '../../testing/longList';
import { openApp } from '../../testing/openApp';
import { server } from '../../testing/server';

const table = () => screen.getByRole('table');
const kept = () => (history.state ?? {}) as { top?: number; id?: string };
const focusedRow = () => document.activeElement?.getAttribute('data-row-id');

function scrollToRow(row: number) {
  table().scrollTop = row * 40;
  fireEvent.scroll(table());
}

async function openUsers(path = '/reg') {
  const app = openApp(path);
  await screen.findByText('User 1');
  return app;
}

/** Scrolls to the row and waits until the position is saved. */
async function restAt(row: number) {
  scrollToRow(row);
  await screen.findByText(`User ${Math.ceil(row) + 1}`);
  await waitFor(() => expect(kept().top).toBe(row));
}

const goTo = (path: string) => act(() => history.pushState(null, '', path));
const goBack = () => act(() => history.back());

test('Back returns to the row that was at the top, and a new visit starts at the top', async () => {
  serverHasUsers(300);
  await openUsers();
  await restAt(202.5);
  goTo('/Settings');
  await waitFor(() => expect(screen.queryByText('User 204')).toBeNull());
  goBack();
  expect(await screen.findByText('User 204')).toBeTruthy();
  expect(table().scrollTop).toBe(202.5 * 40);
  goTo('/Settings');
  await waitFor(() => expect(screen.queryByText('User 204')).toBeNull());
  goTo('/reg');
  expect(await screen.findByText('User 1')).toBeTruthy();
  expect(table().scrollTop).toBe(0);
});

test('a reload restores the scroll position, even when the row height has changed', async () => {
  serverHasUsers(300);
  const { unmount } = await openUsers();
  await restAt(100);
  const state = kept();
  unmount();
  localStorage.setItem('density', 'compact');
  openApp('/reg', { state });
  expect(await screen.findByText('User 102')).toBeTruthy();
  expect(table().scrollTop).toBe(100 * 32);
});

test('Back focuses the row that had the focus, even when rows were added above it', async () => {
  const state = serverHasUsers(300);
  const { user } = await openUsers();
  await restAt(100);
  await user.keyboard('jj');
  expect(focusedRow()).toBe('u102');
  await waitFor(() => expect(kept().id).toBe('u102'));
  goTo('/Settings');
  await waitFor(() => expect(screen.queryByText('User 102')).toBeNull());
  state.newest = -1;
  goBack();
  await waitFor(() => expect(focusedRow()).toBe('u102'));
  const row = document.activeElement;
  expect(row?.getAttribute('aria-rowindex')).toBe('105');
  expect(row?.getAttribute('aria-current')).toBe('true');
  await user.keyboard('j');
  expect(focusedRow()).toBe('u103');
  expect(row?.getAttribute('aria-current')).toBeNull();
});

test('the focus stays where the admin has moved it while the list loads', async () => {
  const state = serverHasUsers(300);
  const { user } = await openUsers();
  await user.keyboard('jj');
  await waitFor(() => expect(kept().id).toBe('u2'));
  goTo('/Settings');
  await waitFor(() => expect(screen.queryByText('User 2')).toBeNull());
  state.delay = 200;
  goBack();
  const search = await screen.findByRole('searchbox');
  await user.click(search);
  expect(await screen.findByText('User 2')).toBeTruthy();
  expect(document.activeElement).toBe(search);
});

test('a new sort order starts at the top, and Back returns to the previous scroll position', async () => {
  serverHasUsers(300);
  const { user } = await openUsers();
  await restAt(100);
  await user.click(screen.getByRole('button', { name: 'User Name' }));
  await waitFor(() => expect(table().scrollTop).toBe(0));
  await screen.findByText('User 1');
  goBack();
  await waitFor(() => expect(table().scrollTop).toBe(4000));
  expect(await screen.findByText('User 102')).toBeTruthy();
});

test('hiding a column does not scroll the list, and its history entry keeps the position', async () => {
  serverHasUsers(300);
  const { user } = await openUsers();
  await restAt(100);
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Mobile' }));
  expect(window.location.search).toBe('?hide=mobile');
  expect(table().scrollTop).toBe(4000);
  await waitFor(() => expect(kept().top).toBe(100));
});

test('showing the new rows scrolls to the top', async () => {
  const state = serverHasUsers(300);
  const { user, queryClient } = await openUsers();
  await restAt(100);
  state.newest = -1;
  await act(() => queryClient.refetchQueries({ queryKey: ['users', 'rows'], type: 'active' }));
  await user.click(await screen.findByRole('button', { name: '2 new users above' }));
  await waitFor(() => expect(table().scrollTop).toBe(0));
  expect(await screen.findByText('User -1')).toBeTruthy();
});

test('a reload restores the position before the matches are counted', async () => {
  const state = serverHasUsers(300, { tellsCount: false });
  server.use(http.get('*/api/users/totals', () => delay('infinite')));
  openApp('/reg?q=9', { state: { top: 202, count: 225 } });
  expect(await screen.findByText('User 204')).toBeTruthy();
  // It jumps straight from the first page instead of reading page by page.
  expect(state.reads[1]).toMatchObject({ cursor: '50' });
  expect(Number(state.reads[1]?.skip)).toBeGreaterThanOrEqual(100);
  expect(table().scrollTop).toBe(202 * 40);
});

test('a click or Enter may navigate away, so the position is saved first', async () => {
  serverHasUsers(300);
  const { user } = await openUsers();
  await restAt(100);
  scrollToRow(120);
  expect(kept().top).toBe(100);
  await user.pointer({ target: document.body, keys: '[MouseLeft>]' });
  expect(kept().top).toBe(120);
  await user.keyboard('jj');
  expect(kept().id).toBeUndefined();
  await user.keyboard('{Enter}');
  expect(kept().id).toBe('u122');
});

test('other data in the history state is kept', async () => {
  serverHasUsers(300);
  openApp('/reg', { state: { isPanel: true } });
  await screen.findByText('User 1');
  await restAt(100);
  expect(history.state).toMatchObject({ isPanel: true, top: 100 });
});
