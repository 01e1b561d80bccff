import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

/** The signed-in admin. */
export const meQuery = queryOptions({
  queryKey: ['admins', 'me'],
  queryFn: ({ signal }) => dataOf<Schemas['Me']>(api.GET('/api/admin/me', { signal })),
});
