import { RefusedError, sentenceOf } from '../../../api/errors';
import {
  type Claim,
  type ClaimDetails,
  type ClaimStatus,
  findMove,
} from '../../../entities/claim/claim';
import { formatMoment } from '../../../ui/text/dates';

/** How a claim has changed since the admin saw it. Empty as long as the requested move is still possible. */
export function changeSince(
  seen: Claim,
  now: Claim,
  target: ClaimStatus,
  details: ClaimDetails | undefined,
): string {
  if (now.version === seen.version) {
    if (findMove(now, target)) return '';
    // After a conflict the row has the new status before its new version is read.
    return now.status === seen.status
      ? `This claim can no longer become ${target}.`
      : `This claim is now ${now.status}.`;
  }
  const step = details?.timeline.find(({ number }) => number === now.version);
  // The name arrives a moment after the row, and is unknown for a change made directly in the database.
  if (!step?.by) return `This claim is now ${now.status}.`;
  const reference = step.reference ? ` Bank reference ${step.reference}.` : '';
  return movedBy(step.by, step.to, step.at) + reference;
}

export const movedBy = (name: string, status: string, at: string) =>
  `${name} moved this claim to ${status} on ${formatMoment(at)}.`;

/** Another admin was first. */
export const isConflict = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.code === 'claim_cannot_move';

/** Why a claim did not move. A conflict names who was first and when. */
export function whyNotMoved(error: unknown): string {
  if (isConflict(error)) {
    const { status, by, at } = error.fields;
    if (status && by && at) return movedBy(by, status, at);
  }
  return sentenceOf(error);
}

/** The claim has a warning that the dialog did not show. */
export const isNewWarning = (error: RefusedError) => error.code === 'warning_not_seen';

/** The server's message about a field of the dialog, or undefined if the refusal is about something else. */
export function fieldProblem(error: RefusedError, field: 'reason' | 'reference') {
  const said = error.fields[field];
  if (said) return said;
  // The admin did not confirm who they are. What was typed stays.
  if (error.code === 'step_up_required') return error.message;
  const isAboutReference =
    error.code === 'reference_taken' ||
    (error.code === 'policy_refuses' && /reference/i.test(error.fields.rule ?? ''));
  return field === 'reference' && isAboutReference ? error.message : undefined;
}

/** The row changes at once when the claim is moved here; the details include the moves of other admins. */
export function newerClaim(row: Claim, details: ClaimDetails | undefined): Claim {
  return details && details.claim.version > row.version ? details.claim : row;
}
