import type { Claim, ClaimDetails } from '../../entities/claim/claim';

/** The row changes at once when the claim is moved here; the details include the moves of other admins. */
export function newerClaim(row: Claim, details: ClaimDetails | undefined): Claim {
  return details && details.claim.version > row.version ? details.claim : row;
}
