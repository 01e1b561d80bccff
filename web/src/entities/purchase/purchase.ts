import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { listSource } from '../../api/pages';

export type Purchase = Schemas['Purchase'];

export const purchaseList = listSource('purchases', '/api/purchases/all', '/api/purchases/totals');

/** The existing values, for the filter menus. */
export const purchaseChoices = queryOptions({
  queryKey: ['purchases', 'choices'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/purchases/choices', { signal })),
  staleTime: 300_000,
});
