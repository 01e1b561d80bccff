import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { getToken, getUsername, rememberUsername } from '../../api/session';

/** The signed-in admin, as the server knows them: it also says whether the session is still valid. */
export const meQuery = queryOptions({
  queryKey: ['admins', 'me'],
  queryFn: ({ signal }) => dataOf<Schemas['Me']>(api.GET('/api/admin/me', { signal })),
});

/** The name of the signed-in admin, usually from the login. Empty if it is unknown and cannot be read. */
export async function ownName(client: QueryClient): Promise<string> {
  const token = getToken();
  const known = getUsername();
  if (known || !token) return known ?? '';
  const me = await client.fetchQuery(meQuery).catch(() => undefined);
  if (me) rememberUsername(token, me.username);
  return me?.username ?? '';
}
