import type { Schemas } from '../../../api/client';

export type BatchClaim = Schemas['BatchClaim'];
/** Texts by the id of the claim. */
export type Texts = Readonly<Record<string, string>>;

const separators =
  /(?:[\s\-\u2010-\u2015\u2212\u2043\u2796\ufe58\ufe63\uff0d]|[\ufe00-\ufe0f]|\p{Cf}|\p{Cc}|\p{Me})+/gu;

/** The same reference has the same spelling, however it was copied. The server does the same. */
export const normalised = (typed: string) =>
  typed.normalize('NFKC').toUpperCase().replace(separators, '');

/** Why this cannot be a bank reference, or an empty text. */
function flawOf(typed: string): string {
  if (/^\d(\.\d+)?E\+\d+$/i.test(typed.trim()))
    return 'The spreadsheet shortened this number. Format the column as text and copy it again.';
  const reference = normalised(typed);
  if (!/^[0-9A-Z]{6,40}$/.test(reference))
    return 'The bank reference must have 6 to 40 letters and digits; spaces and dashes do not count.';
  const digits = reference.replace(/\D/g, '').length;
  return digits < 4 || new Set(reference).size === 1
    ? "This is not a bank reference. Copy it from the bank's statement or message."
    : '';
}

/** What is wrong with the references, by claim. Empty ones are reported only if `missing` says how. */
export function findFlaws(claims: readonly BatchClaim[], typed: Texts, missing?: string): Texts {
  const flaws: Record<string, string> = {};
  const owners = new Map<string, BatchClaim>();
  const numbers = new Set(claims.map(({ number }) => normalised(number)));
  for (const claim of claims) {
    const text = typed[claim._id]?.trim() ?? '';
    if (!text) {
      if (missing) flaws[claim._id] = missing;
      continue;
    }
    const flaw = flawOf(text);
    if (flaw) {
      flaws[claim._id] = flaw;
      continue;
    }
    const reference = normalised(text);
    if (numbers.has(reference)) {
      flaws[claim._id] = 'This is the number of a claim, not a bank reference.';
      continue;
    }
    const owner = owners.get(reference);
    if (owner) {
      flaws[claim._id] = `Also entered for ${owner.number}.`;
      flaws[owner._id] ??= `Also entered for ${claim.number}.`;
    } else owners.set(reference, claim);
  }
  return flaws;
}
