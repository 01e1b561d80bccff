import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { RefusedError } from '../../api/errors';
import { heldRows, listSource, type Page, rowsKey } from '../../api/pages';
import { createRowTasks } from '../../api/rowTasks';
import { may } from '../../api/session';
import type { Notice } from '../../ui/notices/Notices';
import type { RowAddress } from '../../ui/table/rows/openedRow';

export type Claim = Schemas['Claim'];
export type ClaimStatus = Claim['status'];
/** A move that the server allows next, and what it needs. */
export type Move = Claim['moves'][number];
export type ClaimDetails = Schemas['ClaimDetails'];

export const claimList = listSource('claims', '/api/claims/all', '/api/claims/totals');

/** The moves in progress. */
export const claimTasks = createRowTasks<Notice>();

/** The moves that the status allows and the admin's role includes. */
export const movesOf = (claim: Claim): Move[] =>
  claim.moves.filter(({ permission }) => may(permission));

export const findMove = (claim: Claim, to: ClaimStatus): Move | undefined =>
  movesOf(claim).find((move) => move.to === to);

export const findUndo = (claim: Claim): Move | undefined =>
  movesOf(claim).find(({ isUndo }) => isUndo);

/** A request without a response counts as lost after this time. */
export const claimTimeoutMilliseconds = 10_000;

/** The current claim, or undefined if it does not exist. */
export async function readClaim(id: string): Promise<Claim | undefined> {
  try {
    return await dataOf<Claim>(
      api.GET('/api/claims/{claim_id}', {
        params: { path: { claim_id: id } },
        signal: AbortSignal.timeout(claimTimeoutMilliseconds),
      }),
    );
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'claim_not_found') return undefined;
    throw error;
  }
}

export const claimAddress: RowAddress<Claim> = {
  of: ({ number }) => number,
  find: async (number) => {
    const query = { number, limit: 1, with: 'more' } as const;
    const found = await dataOf<Claim[]>(api.GET('/api/claims/all', { params: { query } }));
    return found[0];
  },
};

/** The whole numbers, for an admin who sees only their last digits. The audit log says who asked. */
export const revealClaim = (claim_id: string) =>
  dataOf<Schemas['RevealedClaim']>(
    api.POST('/api/claims/{claim_id}/reveal', { params: { path: { claim_id } } }),
  );

/** The common beginning of the keys of all claim details. */
export const claimDetailsKey = ['claims', 'details'];

/** Everything that is known about one claim. */
export const claimDetailsOptions = (id: string) =>
  queryOptions({
    queryKey: [...claimDetailsKey, id],
    queryFn: ({ signal }) =>
      dataOf<ClaimDetails>(
        api.GET('/api/claims/{claim_id}/details', { params: { path: { claim_id: id } }, signal }),
      ),
    // Short, so that a change made by another admin a moment ago is seen.
    staleTime: 2_000,
  });

/** How often the details are read again while somebody decides on them: no event reports a similar claim. */
const deciding = 5_000;

/** What was cached, or requested before the dialog of this `opening`, is not what the admin decides on. */
export const currentDetailsOptions = (id: string, opening: string) =>
  queryOptions({
    ...claimDetailsOptions(id),
    queryKey: [...claimDetailsKey, opening, id],
    gcTime: 0,
    refetchInterval: deciding,
  });

/** All claims in the loaded pages and the selected ones. Of a claim that is there several times, the oldest version. */
export function loadedClaims(client: QueryClient): Map<string, Claim> {
  const found = new Map<string, Claim>();
  const add = (claim: Claim) => {
    const other = found.get(claim._id);
    if (!other || claim.version < other.version) found.set(claim._id, claim);
  };
  const pages = client.getQueriesData<Page<Claim>>({ queryKey: rowsKey(claimList.noun) });
  for (const [, page] of pages) {
    for (const claim of [...(page?.rows ?? []), ...(page?.fresh?.rows ?? [])]) add(claim);
  }
  for (const claim of heldRows<Claim>(claimList.noun)) add(claim);
  return found;
}
