import { screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { expect, test } from 'vitest';
import { serverHasUsers } from '../../testing/longList';
import { openApp } from '../../testing/openApp';
import { server } from '../../testing/server';

const search = () => screen.findByRole('searchbox', { name: 'Search users' });

async function openUsers(path = '/reg') {
  const app = openApp(path);
  await screen.findByText('User 1');
  return { ...app, field: await search() };
}

test('typing searches once, after a pause, and updates the URL without adding a history entry', async () => {
  const state = serverHasUsers(300);
  const { user, field } = await openUsers();
  const steps = window.history.length;
  await user.type(field, 'rahul');
  await waitFor(() => expect(window.location.search).toBe('?q=rahul'));
  await waitFor(() => expect(state.reads.at(-1)).toEqual({ limit: '50', q: 'rahul' }));
  expect(state.reads).toHaveLength(2);
  expect(window.history.length).toBe(steps);
});

test('a search that is replaced by a newer one is cancelled', async () => {
  const state = serverHasUsers(300);
  const { user, field } = await openUsers();
  // Longer than the typing below takes on a busy machine; the test does not wait for it.
  state.delay = 5_000;
  await user.type(field, 'ra');
  await waitFor(() => expect(state.reads.at(-1)?.q).toBe('ra'));
  await user.type(field, 'hul');
  await waitFor(() => expect(state.reads.at(-1)?.q).toBe('rahul'));
  expect(state.aborted).toContain('ra');
});

test('the slash key focuses the search, Escape leaves it and a second Escape clears it', async () => {
  serverHasUsers(300);
  const { user, field } = await openUsers('/reg?q=9');
  expect((field as HTMLInputElement).value).toBe('9');
  await user.keyboard('/');
  expect(document.activeElement).toBe(field);
  await user.keyboard('{Escape}');
  expect(document.activeElement).not.toBe(field);
  expect(window.location.search).toBe('?q=9');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(window.location.search).toBe(''));
  expect((field as HTMLInputElement).value).toBe('');
});

test.each(['{Enter}', '{ArrowDown}'])(
  '%s in the search moves to the first row found',
  async (key) => {
    const state = serverHasUsers(300);
    const { user, field } = await openUsers();
    // The rows of the previous search must not take the focus.
    state.delay = 100;
    await user.type(field, `9${key}`);
    expect(document.activeElement).toBe(field);
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2'));
    expect(state.reads.at(-1)?.q).toBe('9');
    // The search was sent already: the rows are there.
    await user.keyboard('/');
    await user.keyboard(key);
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
  },
);

test('Enter in a search without matches stays in the field', async () => {
  serverHasUsers(300);
  const { user, field } = await openUsers();
  serverHasUsers(0);
  await user.type(field, 'nobody{Enter}');
  await screen.findByText('No user matches the search “nobody”.');
  expect(document.activeElement).toBe(field);
});

test('a column header sorts the list and shows the sort order, and Back undoes it', async () => {
  const state = serverHasUsers(300);
  const { user } = await openUsers();
  const header = () => screen.getByRole('columnheader', { name: 'User Name' });
  await user.click(screen.getByRole('button', { name: 'User Name' }));
  expect(window.location.search).toBe('?sort=username');
  await waitFor(() => expect(state.reads.at(-1)).toEqual({ limit: '50', sort: 'username' }));
  expect(header().getAttribute('aria-sort')).toBe('ascending');
  await user.click(screen.getByRole('button', { name: 'User Name' }));
  expect(header().getAttribute('aria-sort')).toBe('descending');
  window.history.back();
  await waitFor(() => expect(header().getAttribute('aria-sort')).toBe('ascending'));
});

test('a hidden column disappears and is listed in the URL', async () => {
  serverHasUsers(300);
  const { user } = await openUsers();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Mobile' }));
  expect(window.location.search).toBe('?hide=mobile');
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'S.No',
    'Date',
    'User Name',
  ]);
});

test('compact rows are lower, and the browser remembers the choice', async () => {
  serverHasUsers(300);
  const { user } = await openUsers();
  const heightOf = () =>
    screen.getByText('User 1').closest<HTMLElement>('[role="row"]')?.style.height;
  expect(heightOf()).toBe('40px');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('radio', { name: 'Compact' }));
  expect(heightOf()).toBe('32px');
  expect(localStorage.getItem('density')).toBe('compact');
  expect(window.location.search).toBe('');
});

test('no matches and an empty list show different messages, and the filters can be cleared', async () => {
  serverHasUsers(0);
  const { user } = openApp('/reg?q=nobody');
  await screen.findByText('No user matches the search “nobody”.');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText(/Nobody has registered yet/)).toBeTruthy();
  expect(window.location.search).toBe('');
});

test('a count above the limit is shown as a minimum, and can be completed on request', async () => {
  const state = serverHasUsers(12_345, { tellsCount: false });
  state.totals = { count: 10_000, isExact: false };
  const { user } = await openUsers('/reg?q=9');
  const countAll = await screen.findByRole('button', { name: 'Count all' });
  expect(countAll.parentElement?.textContent).toContain('more than 10,000 users');
  await user.click(countAll);
  expect((await screen.findAllByText('12,345 users')).length).toBeGreaterThan(0);
  expect(state.totalReads.at(-1)).toEqual({ q: '9', exact: 'true' });
});

test('while the matches are being counted, the loaded rows are shown as a minimum', async () => {
  serverHasUsers(12_345, { tellsCount: false });
  server.use(http.get('*/api/users/totals', () => delay('infinite')));
  await openUsers('/reg?q=9');
  expect(await screen.findByText('more than 50 users')).toBeTruthy();
  expect(screen.queryByText('51 users')).toBeNull();
});
