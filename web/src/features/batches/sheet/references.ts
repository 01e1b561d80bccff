import type { Schemas } from '../../../api/client';
import { formatRupees } from '../../../ui/text/rupees';
import { referencesIn, withoutLabels } from './narration';
import {
  claimNumbersIn,
  ifscPattern,
  isClaimNumber,
  isSeveralWords,
  isShortened,
  mobilePattern,
  plainText,
} from './paste/values';

export type BatchClaim = Schemas['BatchClaim'];
/** Texts by the id of the claim. */
export type Texts = Readonly<Record<string, string>>;

/** The same reference has the same spelling, however it was copied. */
export const normalised = (typed: string) => referencesIn(typed).join(' ');

/** What was typed, without what stands between the letters and digits. */
export const lettersAndDigits = (typed: string) =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');

/** The second one was typed where the first one still stood. No bank has two such numbers in one reference. */
const twoJoined = /^\d{24}$|\d{12,}[A-Z]+\d{12,}/;

/** Why this cannot be a bank reference, or an empty text. */
export function flawOf(typed: string): string {
  if (isShortened(typed))
    return 'The spreadsheet shortened this number. Format the column as text and copy it again.';
  const plain = plainText(typed);
  const [named] = claimNumbersIn(plain);
  if (isClaimNumber(plain)) return 'This is the number of a claim, not a bank reference.';
  if (named) return `This names the claim ${named[0]}. Enter the bank reference alone.`;
  const found = referencesIn(typed);
  if (found.length > 1)
    return `This has several references: ${found.join(' and ')}. Enter one of them alone.`;
  const [reference = ''] = found;
  if (found.length > 0 && !/^[0-9A-Z]{6,40}$/.test(reference))
    return 'The bank reference must have 6 to 40 letters and digits; spaces, dashes and slashes do not count.';
  if (twoJoined.test(reference))
    return 'These are two references in one. Enter the one of this payment alone.';
  const digits = reference.replace(/\D/g, '').length;
  if (digits < 4 || new Set(reference).size === 1)
    return "This is not a bank reference. Copy it from the bank's statement or message.";
  return isSeveralWords(withoutLabels(plain, reference))
    ? 'This is more than a bank reference. Enter the reference alone, without spaces.'
    : '';
}

/** What may be a reference but looks like something else, in a whole sentence, or an empty text. */
export function doubtAbout(typed: string): string {
  const reference = normalised(typed);
  if (mobilePattern.test(reference)) return 'This looks like a mobile number.';
  if (ifscPattern.test(reference)) return 'This looks like an IFSC.';
  if (/^C\d{1,7}(?!\d)/.test(reference)) return 'This begins like the number of a claim.';
  if (reference.replace(/\D/g, '').length < 6)
    return 'Is this a code of something else? Bank references have more digits.';
  return /^\d+$/.test(reference) && reference.length !== 12
    ? 'Is this an account number or an amount? References of digits alone have 12 at UPI and IMPS.'
    : '';
}

/** Kept, because each typed letter asks for them. */
const ownValuesOf = new WeakMap<readonly BatchClaim[], ReadonlyMap<string, string>>();

/** What these claims say about themselves, so that it is no bank reference, with the sentence that says so. */
function ownValues(claims: readonly BatchClaim[]): ReadonlyMap<string, string> {
  const known = ownValuesOf.get(claims);
  if (known) return known;
  const values = new Map<string, string>();
  ownValuesOf.set(claims, values);
  for (const { number, accountNo, ifsc, amount } of claims) {
    values.set(normalised(ifsc), 'This is an IFSC of this sheet, not a bank reference.');
    const sum = `This is the amount of ${number}, ${formatRupees(amount)}, not a bank reference.`;
    for (const text of [String(amount), amount.toFixed(2)]) values.set(normalised(text), sum);
    const account = `This is the account number of ${number}, not a bank reference.`;
    for (const text of [accountNo, accountNo.replace(/^0+/, '')])
      values.set(normalised(text), account);
    values.set(normalised(number), 'This is the number of a claim, not a bank reference.');
  }
  return values;
}

/** What is wrong with the references, by claim. Empty ones are reported only if `missing` says how. */
export function findFlaws(claims: readonly BatchClaim[], typed: Texts, missing?: string): Texts {
  const flaws: Record<string, string> = {};
  const owners = new Map<string, BatchClaim>();
  const own = ownValues(claims);
  for (const claim of claims) {
    const text = typed[claim._id]?.trim() ?? '';
    if (!text) {
      if (missing) flaws[claim._id] = missing;
      continue;
    }
    const reference = normalised(text);
    const flaw = flawOf(text) || own.get(reference);
    if (flaw) {
      flaws[claim._id] = flaw;
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
