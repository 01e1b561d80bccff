import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { ListQuery } from '../../api/listQuery';
import type { PageSource } from '../../api/pages';

export type Purchase = Schemas['Purchase'];

export const purchasePages: PageSource<Purchase> = {
  noun: 'purchases',
  idOf: (purchase) => purchase._id,
  read: (query, signal) =>
    api.GET('/api/purchases/all', { params: { query: query as object }, signal }),
};

export const purchaseTotals = {
  noun: 'purchases',
  read: (query: ListQuery, signal: AbortSignal) =>
    dataOf(api.GET('/api/purchases/totals', { params: { query: query as object }, signal })),
};

/** The existing values, for the filter menus. */
export const purchaseChoices = queryOptions({
  queryKey: ['purchases', 'choices'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/purchases/choices', { signal })),
  staleTime: 300_000,
});
