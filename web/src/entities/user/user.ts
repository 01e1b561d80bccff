import { api, dataOf, type Schemas } from '../../api/client';
import { listSource } from '../../api/pages';
import type { RowAddress } from '../../ui/table/rows/openedRow';

export type User = Schemas['User'];

export const userList = listSource('users', '/api/users', '/api/users/totals');

/** A user has no number: the URL names the id. */
export const userAddress: RowAddress<User> = {
  of: ({ _id }) => _id,
  find: async (user_id) => {
    const found = api.GET('/api/clients/{user_id}', { params: { path: { user_id } } });
    return (await dataOf<Schemas['Client']>(found)).user;
  },
};
