import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Purchase = Schemas['Purchase'];

export const purchasesQuery = queryOptions({
  queryKey: ['purchases'],
  queryFn: ({ signal }) => dataOf<Purchase[]>(api.GET('/api/purchases/all', { signal })),
});
