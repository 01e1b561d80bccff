import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { Claim } from './claimsQuery';

export type ClaimDetails = Schemas['ClaimDetails'];

/** Everything that is known about one claim. */
export const detailsOptions = (id: string) =>
  queryOptions({
    queryKey: ['claims', 'details', id],
    queryFn: ({ signal }) =>
      dataOf<ClaimDetails>(
        api.GET('/api/claims/{claim_id}/details', {
          params: { path: { claim_id: id } },
          signal,
        }),
      ),
    // Short, so that a change made by another admin a moment ago is seen.
    staleTime: 2_000,
  });

/** The row changes at once when the claim is moved here; the details include the moves of other admins. */
export function newer(row: Claim, details: ClaimDetails | undefined): Claim {
  return details && details.claim.version > row.version ? details.claim : row;
}

export const policyOptions = queryOptions({
  queryKey: ['policy'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/policy', { signal })),
});
