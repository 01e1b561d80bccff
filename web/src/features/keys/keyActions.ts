import { api, dataOf, type Schemas } from '../../api/client';
import type { AddedKey, ApiKey } from '../../entities/key/key';

type KeyWish = Required<Pick<Schemas['NewKey'], 'name' | 'scopes' | 'networks'>> & {
  expiresAt: string | null;
};

/** The response is the only one that contains the key itself. */
export const addKey = (wish: KeyWish) =>
  dataOf<AddedKey>(api.POST('/api/keys', { body: wish as Schemas['NewKey'] }));

export const revokeKey = (id: string) =>
  dataOf<ApiKey>(api.POST('/api/keys/{key_id}/revoke', { params: { path: { key_id: id } } }));
