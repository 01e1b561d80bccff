import { api, dataOf, type Schemas } from '../../api/client';
import type { ListQuery } from '../../api/listQuery';
import type { PageSource } from '../../api/pages';

export type Claim = Schemas['Claim'];
export type ClaimStatus = Claim['status'];

export const claimPages: PageSource<Claim> = {
  noun: 'claims',
  idOf: (claim) => claim._id,
  read: (query, signal) =>
    api.GET('/api/claims/all', { params: { query: query as object }, signal }),
};

export const claimTotals = {
  noun: 'claims',
  read: (query: ListQuery, signal: AbortSignal) =>
    dataOf(api.GET('/api/claims/totals', { params: { query: query as object }, signal })),
};
