import { RefusedError, sentenceOf } from '../../api/errors';
import { formatMoment } from '../../ui/dates';

/** Why a claim did not move: a conflict names who was first and when. */
export function whyNotMoved(error: unknown): string {
  if (error instanceof RefusedError && error.code === 'claim_cannot_move') {
    const { status, by, at } = error.fields;
    if (status && by && at) return `${by} moved this claim to ${status} on ${formatMoment(at)}.`;
  }
  return sentenceOf(error);
}
