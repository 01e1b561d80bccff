import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type User = Schemas['User'];

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => dataOf<User[]>(api.GET('/api/users', { signal })),
});
