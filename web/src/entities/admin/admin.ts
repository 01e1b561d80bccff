import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import {
  getToken,
  getUsername,
  hasPermissions,
  rememberPermissions,
  rememberUsername,
} from '../../api/session';

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

/** Reads what the admin may do, unless the login has said so. Until then everything is offered; the server decides. */
export async function readPermissions(client: QueryClient) {
  const token = getToken();
  if (!token || hasPermissions()) return;
  const me = await client.fetchQuery(meQuery).catch(() => undefined);
  if (me) rememberPermissions(token, me.permissions);
}

export type Role = Schemas['Me']['role'];
export type ShownAdmin = Schemas['ShownAdmin'];

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  payer: 'Payer',
  reviewer: 'Reviewer',
  'qr-manager': 'QR manager',
  viewer: 'Viewer',
  auditor: 'Auditor',
};

/** The rows need an id; somebody who is only invited has none yet. */
export type AdminRow = Omit<ShownAdmin, '_id'> & { _id: string };

export const adminsOptions = queryOptions({
  queryKey: ['admins', 'all'],
  queryFn: async ({ signal }) => {
    const found = await dataOf<ShownAdmin[]>(api.GET('/api/admins', { signal }));
    return found.map((one): AdminRow => ({ ...one, _id: one._id ?? `invited ${one.username}` }));
  },
});
