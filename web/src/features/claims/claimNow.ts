import type { ClaimDetails } from './claimDetails';
import { movedBy } from './claimFailure';
import type { Claim, ClaimStatus } from './claimsQuery';

/** What became of a claim since it was seen; empty as long as the move that is asked for still begins there. */
export function changeSince(
  seen: Claim,
  now: Claim,
  target: ClaimStatus,
  details: ClaimDetails | undefined,
): string {
  if (now.version === seen.version) {
    return now.moves.includes(target) ? '' : 'It is no longer in the list.';
  }
  const step = details?.timeline.find(({ number }) => number === now.version);
  // Who it was arrives a moment later than the row, and is not known of what was done past the desk.
  if (!step?.by) return `This claim is now ${now.status}.`;
  const reference = step.reference ? ` Bank reference ${step.reference}.` : '';
  return movedBy(step.by, step.to, step.at) + reference;
}

export const changedTitle = 'This claim has changed';
/** Stands at what was typed before: it can still be copied. */
export const notRecorded = 'This was not recorded.';
