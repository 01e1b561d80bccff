import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';

/** The first line is the same for every cause, so that a guesser learns nothing from it. */
export function loginFailure(error: unknown): string[] {
  const lines = ['Invalid username or password'];
  const isThrottled = error instanceof RefusedError && error.status === 429;
  // Neither says anything about the name or the password; the one who waits should know for what.
  if (isThrottled || isOutcomeUnknown(error)) lines.push(sentenceOf(error));
  return lines;
}
