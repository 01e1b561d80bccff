import { nameInText } from '../../../../ui/text/names';
import { type BatchClaim, lettersAndDigits, normalised } from '../references';
import { wordsOf } from './headings';
import { numberKey, plainText } from './values';

const ofStatements = new Set(
  (
    'bank claim dr id imps inb mmt neft no number pay payment ref reference rrn rtgs to transaction transfer txn upi ' +
    'utr'
  ).split(' '),
);

/** What a line of a statement says beside its reference, if that is another claim, or somebody else than the client. */
export function otherText(typed: string, claim: BatchClaim, claims: readonly BatchClaim[]): string {
  const reference = normalised(typed);
  if (reference === lettersAndDigits(typed)) return '';
  const rest = plainText(typed).toUpperCase().replace(reference, ' ');
  const own = [numberKey(claim.number), String(Math.floor(claim.amount))];
  const other = rest.match(/\b[1-9]\d{3,6}\b/g)?.find((number) => !own.includes(number));
  const owner = claims.find(({ number }) => other && numberKey(number) === other);
  if (owner) return `The line also says ${other}, the number of ${owner.number}.`;
  if (other) return `The line also says ${other}. Is it for ${claim.number}?`;
  const people = wordsOf(rest).filter((word) => word.length > 2 && !ofStatements.has(word));
  const names = wordsOf(plainText(claim.username));
  const isNamed = people.some((word) => names.some((name) => isSameName(word, name)));
  return people.length > 0 && !isNamed ? `The line does not name ${nameInText(claim)}.` : '';
}

/** Statements shorten names. */
const isSameName = (word: string, name: string) =>
  name.length > 2 && (word.startsWith(name) || name.startsWith(word));
