import type { BatchClaim } from '../references';
import { wordsOf } from './headings';
import { nameKey, plainText } from './values';

const titles: ReadonlySet<string> = new Set('mr mrs ms miss dr shri sri smt kumari'.split(' '));

const partsOf = (text: string) => wordsOf(plainText(text)).filter((word) => !titles.has(word));

const isCut = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** Banks write names in capitals, with titles, cut short or with the surname first. No word may be of another name. */
export function isNameOf(said: string, { username }: BatchClaim): boolean {
  const [words, names] = [partsOf(said), partsOf(username)];
  const isAllOfIt = words.every((word) => names.some((name) => isCut(word, name)));
  return (
    nameKey(said) === nameKey(username) || (isAllOfIt && words.some(({ length }) => length > 2))
  );
}

/** Whether a cell may name somebody in the sheet: rather too often, because a name is then compared. */
export function mayNameOneOf(claims: readonly BatchClaim[]): (cell: string) => boolean {
  const known = claims.flatMap(({ username }) => partsOf(username)).filter(isLong);
  const names = [...new Set(known)];
  return (cell) =>
    !/\p{N}/u.test(cell) &&
    partsOf(cell).some((word) => isLong(word) && names.some((name) => isCut(word, name)));
}

const isLong = ({ length }: string) => length > 2;
