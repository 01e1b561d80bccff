import type { RefusedError } from '../../api/errors';

/** What a refusal says about a field of the dialog that asked, or undefined where it is about something else. */
export function fieldProblem(error: RefusedError, field: 'reason' | 'reference') {
  const said = error.fields[field];
  if (said) return said;
  const isAboutReference =
    error.code === 'reference_taken' ||
    (error.code === 'policy_refuses' && /reference/i.test(error.fields.rule ?? ''));
  return field === 'reference' && isAboutReference ? error.message : undefined;
}
