import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { Claim } from './claimsQuery';

export type ClaimDetails = Schemas['ClaimDetails'];

/** All that is known around one claim. */
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
    // What another admin did a moment ago counts.
    staleTime: 2_000,
  });

/** The row changes at once when the claim is moved here; the details know what others did. */
export function newer(row: Claim, details: ClaimDetails | undefined): Claim {
  return details && details.claim.version > row.version ? details.claim : row;
}

export const policyOptions = queryOptions({
  queryKey: ['policy'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/policy', { signal })),
});
