import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { RefusedError } from '../../api/errors';
import { type Page, rowsKey } from '../../api/pages';

export type Claim = Schemas['Claim'];

/** One entry of the server's log, as an event reports it. */
export interface Change {
  verb: string;
  subjectId: string;
  by: string;
  at: string;
  status: string | null;
  version: number | null;
}

export const claimRows = { noun: 'claims', idOf: (claim: Claim) => claim._id };

/** The current claim, or undefined if it does not exist. */
export async function readClaim(id: string): Promise<Claim | undefined> {
  try {
    return await dataOf<Claim>(
      api.GET('/api/claims/{claim_id}', { params: { path: { claim_id: id } } }),
    );
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return undefined;
    throw error;
  }
}

/** All claims in the loaded pages. For a claim that is in several pages, the oldest version. */
export function loadedClaims(client: QueryClient): Map<string, Claim> {
  const found = new Map<string, Claim>();
  const pages = client.getQueriesData<Page<Claim>>({ queryKey: rowsKey(claimRows.noun) });
  for (const [, page] of pages) {
    for (const claim of [...(page?.rows ?? []), ...(page?.fresh?.rows ?? [])]) {
      const other = found.get(claim._id);
      if (!other || claim.version < other.version) found.set(claim._id, claim);
    }
  }
  return found;
}

/** The name of the signed-in admin. Empty if it cannot be read: then every change is announced. */
export const readOwnName = () =>
  dataOf<Schemas['Me']>(api.GET('/api/admin/me'))
    .then(({ username }) => username)
    .catch(() => '');
