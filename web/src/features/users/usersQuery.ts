import { api, dataOf, type Schemas } from '../../api/client';
import type { ListQuery } from '../../api/listQuery';
import type { PageSource } from '../../api/pages';

export type User = Schemas['User'];

export const userPages: PageSource<User> = {
  noun: 'users',
  idOf: (user) => user._id,
  read: (query, signal) => api.GET('/api/users', { params: { query: query as object }, signal }),
};

export const userTotals = {
  noun: 'users',
  read: (query: ListQuery, signal: AbortSignal) =>
    dataOf(api.GET('/api/users/totals', { params: { query: query as object }, signal })),
};
