import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Claim = Schemas['Claim'];
export type ClaimMove = Schemas['ClaimStatusChange']['status'];

const readClaims = (signal?: AbortSignal) =>
  dataOf<Claim[]>(api.GET('/api/claims/all', signal ? { signal } : {}));

export const claimsQuery = queryOptions({
  queryKey: ['claims'],
  queryFn: ({ signal }) => readClaims(signal),
});

export function moveClaim(id: string, status: ClaimMove): Promise<Claim> {
  return dataOf<Claim>(
    api.PUT('/api/claims/{claim_id}/status', {
      params: { path: { claim_id: id } },
      body: { status },
    }),
  );
}

/** Changes one row in place, or takes it out when `change` returns nothing. */
export async function replaceClaim(
  client: QueryClient,
  id: string,
  change: (claim: Claim) => Claim | undefined,
) {
  const { queryKey } = claimsQuery;
  // A list that was asked for before the move must not overwrite what is known after it.
  const isBeingRead = client.isFetching({ queryKey }) > 0;
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (claims) =>
    claims?.flatMap((claim) => (claim._id === id ? (change(claim) ?? []) : claim)),
  );
  // Whoever asked for the list still wants it; asked for now, it can only be newer.
  if (isBeingRead) void client.refetchQueries({ queryKey });
}

/**
 * Puts the claim as the server has it now into its row and returns it. Throws when it cannot be read.
 * Not through the shared query: when another row's move cancels that, it answers with the old list,
 * and an old list is what gets a claim paid twice.
 */
export async function readClaimAnew(client: QueryClient, id: string): Promise<Claim | undefined> {
  const claim = (await readClaims()).find(({ _id }) => _id === id);
  await replaceClaim(client, id, () => claim);
  return claim;
}
