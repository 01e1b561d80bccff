import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type ApiKey = Schemas['ShownKey'];
export type Scope = ApiKey['scopes'][number];
export type AddedKey = Schemas['AddedKey'];

export const keysOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => dataOf<ApiKey[]>(api.GET('/api/keys', { signal })),
});
