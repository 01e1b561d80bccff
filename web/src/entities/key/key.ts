import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type ApiKey = Schemas['ShownKey'];
export type Scope = ApiKey['scopes'][number];
export type AddedKey = Schemas['AddedKey'];
export type KeyWish = Required<Pick<Schemas['NewKey'], 'name' | 'scopes' | 'networks'>> & {
  expiresAt: string | null;
};

export const keysOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => dataOf<ApiKey[]>(api.GET('/api/keys', { signal })),
});

/** The response is the only one that contains the key itself. */
export const addKey = (wish: KeyWish) =>
  dataOf<AddedKey>(api.POST('/api/keys', { body: wish as Schemas['NewKey'] }));

export const revokeKey = (id: string) =>
  dataOf<ApiKey>(api.POST('/api/keys/{key_id}/revoke', { params: { path: { key_id: id } } }));
