import { expect, test } from 'vitest';
import { pageOf } from '../api/pages';
import { createQueryClient } from '../api/queryClient';
import { userPages } from '../features/users/usersQuery';
import { serverHasUsers } from '../testing/longList';
import { loadScreenAt } from './screenFiles';

test('a screen is drawn with its first rows where they are here already', async () => {
  const state = serverHasUsers(300);
  window.history.replaceState(null, '', '/reg?q=ra');
  const client = createQueryClient();
  await loadScreenAt('/reg', true, client);
  await expect.poll(() => pageOf(client, userPages, { q: 'ra' }, 0)?.rows.length).toBe(50);
  expect(state.reads).toEqual([{ limit: '50', q: 'ra' }]);
});

test('rows that are on their way are not waited for', async () => {
  const state = serverHasUsers(300);
  window.history.replaceState(null, '', '/reg');
  // The file itself is not what is measured.
  await loadScreenAt('/reg', true, createQueryClient());
  state.delay = 60_000;
  const client = createQueryClient();
  await loadScreenAt('/reg', true, client);
  expect(pageOf(client, userPages, {}, 0)).toBeUndefined();
});

test('without a session nothing is read', async () => {
  const state = serverHasUsers(300);
  await loadScreenAt('/reg', false, createQueryClient());
  expect(state.reads).toEqual([]);
});
