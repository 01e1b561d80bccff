import type { RefusedError } from '../../api/errors';

/** The server's message about a field of the dialog, or undefined if the refusal is about something else. */
export function fieldProblem(error: RefusedError, field: 'reason' | 'reference') {
  const said = error.fields[field];
  if (said) return said;
  const isAboutReference =
    error.code === 'reference_taken' ||
    (error.code === 'policy_refuses' && /reference/i.test(error.fields.rule ?? ''));
  return field === 'reference' && isAboutReference ? error.message : undefined;
}
