import {
  type Claim,
  type ClaimDetails,
  type ClaimStatus,
  findMove,
} from '../../entities/claim/claim';
import { movedBy } from './claimFailure';

/** How a claim has changed since the admin saw it. Empty as long as the requested move is still possible. */
export function changeSince(
  seen: Claim,
  now: Claim,
  target: ClaimStatus,
  details: ClaimDetails | undefined,
): string {
  if (now.version === seen.version) {
    return findMove(now, target) ? '' : 'It is no longer in the list.';
  }
  const step = details?.timeline.find(({ number }) => number === now.version);
  // The name arrives a moment after the row, and is unknown for a change made directly in the database.
  if (!step?.by) return `This claim is now ${now.status}.`;
  const reference = step.reference ? ` Bank reference ${step.reference}.` : '';
  return movedBy(step.by, step.to, step.at) + reference;
}
