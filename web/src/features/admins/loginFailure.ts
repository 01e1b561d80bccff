import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';

/** The first line is the same for every cause, so that a guesser learns nothing from it. */
export function loginFailure(error: unknown): string[] {
  const lines = ['Invalid username or password'];
  if (isOutcomeUnknown(error)) {
    lines.push('The server cannot be reached. Check your connection and try again.');
  } else if (error instanceof RefusedError && error.status === 429) {
    lines.push(sentenceOf(error));
  }
  return lines;
}
