import { expect, test } from 'vitest';
import { pageOf } from '../api/pages';
import { createQueryClient } from '../api/queryClient';
import { userList } from '../entities/user/user';
import { serverHasUsers } from '../testing/longList';
import { loadScreenAt } from './screenFiles';

test('a screen is rendered with its first rows if they have already arrived', async () => {
  const state = serverHasUsers(300);
  window.history.replaceState(null, '', '/reg?q=ra');
  const client = createQueryClient();
  await loadScreenAt('/reg', true, client);
  await expect.poll(() => pageOf(client, userList, { q: 'ra' }, 0)?.rows.length).toBe(50);
  expect(state.reads).toEqual([{ limit: '50', q: 'ra' }]);
});

test('a screen does not wait for rows that have not arrived yet', async () => {
  const state = serverHasUsers(300);
  window.history.replaceState(null, '', '/reg');
  // Load the screen's file first, so that only the rows are slow.
  await loadScreenAt('/reg', true, createQueryClient());
  state.delay = 60_000;
  const client = createQueryClient();
  await loadScreenAt('/reg', true, client);
  expect(pageOf(client, userList, {}, 0)).toBeUndefined();
});

test('nothing is read without a session', async () => {
  const state = serverHasUsers(300);
  await loadScreenAt('/reg', false, createQueryClient());
  expect(state.reads).toEqual([]);
});
