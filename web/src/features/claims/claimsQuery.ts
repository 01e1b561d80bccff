import type { QueryClient } from '@tanstack/react-query';
import { changeRow } from '../../api/changeRow';
import { api, dataOf, type Schemas } from '../../api/client';
import { RefusedError } from '../../api/errors';
import type { ListQuery } from '../../api/listQuery';
import type { PageSource } from '../../api/pages';

export type Claim = Schemas['Claim'];
export type ClaimMove = Schemas['ClaimStatusChange']['status'];

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

export function moveClaim(id: string, status: ClaimMove): Promise<Claim> {
  return dataOf<Claim>(
    api.PUT('/api/claims/{claim_id}/status', {
      params: { path: { claim_id: id } },
      body: { status },
    }),
  );
}

/** Changes one row in place, in whatever pages hold it. */
export const replaceClaim = (client: QueryClient, id: string, change: (claim: Claim) => Claim) =>
  changeRow(client, claimPages, id, change);

/**
 * Puts the claim as the server has it now into its row and returns it, or nothing when there is no such claim:
 * then the row stays where it is and allows nothing. Throws when it cannot be read.
 * Not through a page: when another row's move cancels that, it answers with the old rows, and an old row is
 * what gets a claim paid twice.
 */
export async function readClaimAnew(client: QueryClient, id: string): Promise<Claim | undefined> {
  const claim = await readClaim(id);
  await replaceClaim(client, id, (before) => claim ?? { ...before, moves: [] });
  return claim;
}

async function readClaim(id: string): Promise<Claim | undefined> {
  try {
    return await dataOf<Claim>(
      api.GET('/api/claims/{claim_id}', { params: { path: { claim_id: id } } }),
    );
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'claim_not_found') return undefined;
    throw error;
  }
}
