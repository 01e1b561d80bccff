import type { BatchClaim } from '../references';
import { wordsOf } from './headings';
import { nameKey, plainText } from './values';

const titles: ReadonlySet<string> = new Set('mr mrs ms miss dr shri sri smt kumari'.split(' '));

interface Name {
  key: string;
  words: readonly string[];
  digits: string;
}

const nameOf = (text: string): Name => ({
  key: nameKey(text),
  words: wordsOf(plainText(text)).filter((word) => !titles.has(word)),
  digits: text.replace(/\P{N}/gu, ''),
});

const isLong = ({ length }: string) => length > 2;
const isCut = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** Banks write names in capitals, with titles, cut short or with the surname first. No word may be of another name. */
const mayBe = (said: Name, name: Name) =>
  said.digits === name.digits &&
  said.words.some(isLong) &&
  said.words.every((word) => name.words.some((own) => isCut(word, own)));

/** Compares names in a paste with those of the sheet. */
export function namesIn(claims: readonly BatchClaim[]) {
  const names = new Map(claims.map(({ username }) => [nameKey(username), nameOf(username)]));
  const byLetter = new Map<string, Name[]>();
  for (const name of names.values())
    for (const letter of new Set(name.words.map(([first = '']) => first)))
      byLetter.set(letter, [...(byLetter.get(letter) ?? []), name]);
  const fitting = (said: Name) => {
    const [first = ''] = said.words.find(isLong) ?? '';
    return (byLetter.get(first) ?? []).filter((name) => mayBe(said, name));
  };
  const long = new Set([...names.values()].flatMap(({ words }) => words.filter(isLong)));
  return {
    /** Whether a cell may name somebody in the sheet: rather too often, because a name is then compared. */
    mayBeIn: (cell: string) =>
      names.has(nameKey(cell)) ||
      (!/\p{N}/u.test(cell) &&
        nameOf(cell).words.some(
          (word) => isLong(word) && [...long].some((own) => isCut(word, own)),
        )),
    /** Whether a cell names the client of a claim, and nobody else in the sheet. */
    isOf: (cell: string, { username }: BatchClaim) => {
      const key = nameKey(username);
      const said = nameOf(cell);
      if (said.key === key) return true;
      const [only, ...others] = fitting(said);
      return !names.has(said.key) && others.length === 0 && only?.key === key;
    },
  };
}

export type Names = ReturnType<typeof namesIn>;
