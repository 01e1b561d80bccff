import type { Target } from '../batchStore';
import type { BatchClaim } from './references';

export type WarningCode = BatchClaim['warnings'][number]['code'];

/** The gravest first. */
export const warningNames: Record<WarningCode, string> = {
  account_changed: 'Another account',
  near_duplicate: 'Similar claim',
  above_earned: 'Over balance',
  account_shared: 'Shared account',
  account_implausible: 'Odd account number',
  ifsc_malformed: 'IFSC malformed',
  ifsc_unknown: 'IFSC unknown',
  reference_repeated: 'Repeated transaction ID',
  purchase_findings: 'Purchase findings',
  payout_reference_date: 'Payout date differs',
  payout_reference_reused: 'Reused reference',
  first_payout: 'First payout',
};

/** Claims that are put on hold or rejected need no warning. */
export const isWarnedOf = (target: Target) => target === 'Accepted' || target === 'Paid';

/** The claims of each kind of warning. */
export function byKind(claims: readonly BatchClaim[]): [WarningCode, BatchClaim[]][] {
  const codes = Object.keys(warningNames) as WarningCode[];
  return codes
    .map((code): [WarningCode, BatchClaim[]] => [code, claims.filter(hasWarning(code))])
    .filter(([, found]) => found.length > 0);
}

/** One kind of warning, or any. */
export type WarningKind = WarningCode | 'any';

export const isOfKind = (kind: WarningKind) => (claim: BatchClaim) =>
  kind === 'any' ? claim.warnings.length > 0 : hasWarning(kind)(claim);

const hasWarning = (code: WarningCode) => (claim: BatchClaim) =>
  claim.warnings.some((warning) => warning.code === code);

/** Names one warning of one claim. */
export const warningKey = ({ _id }: BatchClaim, code: WarningCode) => `${_id} ${code}`;
