import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Claim = Schemas['Claim'];
export type ClaimMove = Schemas['ClaimStatusChange']['status'];

export const claimsQuery = queryOptions({
  queryKey: ['claims'],
  queryFn: ({ signal }) => dataOf<Claim[]>(api.GET('/api/claims/all', { signal })),
});

export function moveClaim(id: string, status: ClaimMove): Promise<Claim> {
  return dataOf<Claim>(
    api.PUT('/api/claims/{claim_id}/status', {
      params: { path: { claim_id: id } },
      body: { status },
    }),
  );
}

/** Changes one row in place, without asking for the whole list again. */
export async function replaceClaim(
  client: QueryClient,
  id: string,
  change: (claim: Claim) => Claim,
) {
  // A list that was asked for before the move must not overwrite what is known after it.
  await client.cancelQueries({ queryKey: claimsQuery.queryKey });
  client.setQueryData(claimsQuery.queryKey, (claims) =>
    claims?.map((claim) => (claim._id === id ? change(claim) : claim)),
  );
}

/** The list on hand may be wrong: the next look at it must ask the server. */
export function distrustClaims(client: QueryClient) {
  return client.invalidateQueries({ queryKey: claimsQuery.queryKey, refetchType: 'none' });
}

/** Reads the list anew and returns the claim as the server has it now. Throws when it cannot be read. */
export async function readClaimAnew(client: QueryClient, id: string): Promise<Claim | undefined> {
  await client.cancelQueries({ queryKey: claimsQuery.queryKey });
  const claims = await client.fetchQuery({ ...claimsQuery, staleTime: 0 });
  return claims.find((claim) => claim._id === id);
}
