import { RefusedError, sentenceOf } from '../../api/errors';
import { formatMoment } from '../../ui/dates';

export const movedBy = (name: string, status: string, at: string) =>
  `${name} moved this claim to ${status} on ${formatMoment(at)}.`;

/** Another admin was first. */
export const isConflict = (error: unknown) =>
  error instanceof RefusedError && error.code === 'claim_cannot_move';

/** Why a claim did not move. A conflict names who was first and when. */
export function whyNotMoved(error: unknown): string {
  if (error instanceof RefusedError && error.code === 'claim_cannot_move') {
    const { status, by, at } = error.fields;
    if (status && by && at) return movedBy(by, status, at);
  }
  return sentenceOf(error);
}
