import { type Query, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Client = Schemas['Client'];
export type Note = Schemas['Note'];

const at = (id: string) => ({ params: { path: { user_id: id } } });

/** The common beginning of the keys of all clients. */
export const clientsKey = ['clients'];

export const clientOptions = (id: string) =>
  queryOptions({
    queryKey: [...clientsKey, id],
    queryFn: ({ signal }) =>
      dataOf<Client>(api.GET('/api/clients/{user_id}', { ...at(id), signal })),
    // Short, so that a change or note by another admin a moment ago is seen.
    staleTime: 2_000,
  });

export const statementKey = (id: string, from: string, to: string) =>
  [...clientsKey, id, 'statement', from, to] as const;

export const isStatement = ({ queryKey: [noun, , part] }: Pick<Query, 'queryKey'>) =>
  noun === clientsKey[0] && part === 'statement';
