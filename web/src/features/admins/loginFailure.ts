import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';

/** The first line is the same for every cause, so that an attacker who guesses learns nothing from it. */
export function loginFailure(error: unknown): string[] {
  const lines = ['Invalid username or password'];
  const isThrottled = error instanceof RefusedError && error.status === 429;
  // Neither cause reveals anything about the name or the password, and the admin should know what to wait for.
  if (isThrottled || isOutcomeUnknown(error)) lines.push(sentenceOf(error));
  return lines;
}
