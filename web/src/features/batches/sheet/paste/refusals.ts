import { countOf, formatCount, formatRupees } from '../../../../ui/text/rupees';
import { type BatchClaim, findFlaws, normalised, type Texts } from '../references';
import type { Line } from './cells';
import type { Columns } from './columns';
import type { Role } from './headings';
import { isPaidStatus, saysUnpaid } from './statuses';
import {
  claimNumbersIn,
  isSameAccount,
  isShortened,
  numberKey,
  paiseOf,
  plainText,
} from './values';

export interface Pair {
  line: Line;
  claim: BatchClaim;
  reference: string;
}

export class Refused extends Error {
  constructor(readonly sentences: readonly string[]) {
    super();
  }
}

/** What a line says otherwise than the sheet about the claim that it names. */
export function disagreements({ line, claim }: Pair, columns: Columns): string[] {
  const said = (role: Role) =>
    columns[role].map((column) => line.cells[column] ?? '').filter(Boolean);
  const at = `Line ${line.place}: ${claim.number}`;
  const amounts = said('amount').filter((cell) => paiseOf(cell) !== Math.round(claim.amount * 100));
  const accounts = said('account').filter((cell) => !isSameAccount(cell, claim.accountNo));
  const codes = said('ifsc').filter((cell) => cell.toUpperCase() !== claim.ifsc.toUpperCase());
  return [
    ...amounts.map(
      (cell) => `${at} is over ${formatRupees(claim.amount)}, and the paste says ${cell}.`,
    ),
    ...accounts.map((cell) =>
      isShortened(cell)
        ? `${at} has an account number that the spreadsheet shortened, ${cell}. Format the column as text and copy it again.`
        : `${at} goes to the account ${claim.accountNo}, and the paste says ${cell}.`,
    ),
    ...codes.map((cell) => `${at} has the IFSC ${claim.ifsc}, and the paste says ${cell}.`),
  ];
}

/** A payment that has not arrived may have a reference all the same. */
export function unpaidTexts(
  { line, claim }: Pair,
  columns: Pick<Columns, 'status' | 'other' | 'reference'>,
): string[] {
  const cellsOf = (role: keyof typeof columns) =>
    columns[role].map((column) => line.cells[column] ?? '');
  const texts = [...cellsOf('other'), ...cellsOf('reference')].filter(saysUnpaid);
  const said = [...cellsOf('status').filter((cell) => !isPaidStatus(cell)), ...texts];
  return said
    .slice(0, 1)
    .map(
      (cell) =>
        `Line ${line.place}: the paste says ${cell ? `“${cell}”` : 'no status'} for ${claim.number}, not that it was paid. Leave this line out, and remove the claim from this sheet.`,
    );
}

/** Shorter numbers after a C are also those of flats. */
const shortestNumber = 5;

/** Lines that name another claim as well. */
export function otherClaims({ line, claim }: Pair, columns: Columns): string[] {
  const own = numberKey(claim.number);
  return columns.other
    .flatMap((column) => claimNumbersIn(plainText(line.cells[column] ?? '')))
    .map(([found]) => found)
    .filter((found) => numberKey(found) !== own && numberKey(found).length >= shortestNumber)
    .slice(0, 1)
    .map((found) => `Line ${line.place}: the line for ${claim.number} also names ${found}.`);
}

/** Refuses references that are missing, repeated, or none at all. */
export function refuseFlawed(pairs: readonly Pair[], claims: readonly BatchClaim[]) {
  refuseIfAny(
    pairs
      .filter(({ reference }) => !reference)
      .map(({ line, claim }) => `Line ${line.place}, for ${claim.number}, has no reference.`),
  );
  refuseIfAny(
    repeated(
      pairs,
      ({ reference }) => normalised(reference),
      ({ reference }) => `have the same reference, ${reference}`,
    ),
  );
  const flaws = findFlaws(
    claims,
    textsOf(pairs, ({ reference }) => reference),
  );
  refuseIfAny(
    pairs.flatMap(({ line, claim, reference }) => {
      const flaw = flaws[claim._id];
      return flaw ? [`Line ${line.place}, for ${claim.number}, “${reference}”: ${flaw}`] : [];
    }),
  );
}

export function repeated(
  pairs: readonly Pair[],
  keyOf: (pair: Pair) => string,
  say: (pair: Pair) => string,
): string[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const group = groups.get(keyOf(pair));
    if (group) group.push(pair);
    else groups.set(keyOf(pair), [pair]);
  }
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const lines = listOf(same.map(({ line }) => String(line.place)));
    return first && same.length > 1 ? [`Lines ${lines} ${say(first)}.`] : [];
  });
}

const mostSentences = 3;

export function refuseIfAny(problems: readonly string[]) {
  const more = problems.length - mostSentences;
  if (problems.length > 0)
    throw new Refused([
      ...problems.slice(0, mostSentences),
      ...(more > 0 ? [`And ${countOf(more, 'more line')}.`] : []),
    ]);
}

export const textsOf = (pairs: readonly Pair[], textOf: (pair: Pair) => string): Texts =>
  Object.fromEntries(pairs.map((pair) => [pair.claim._id, textOf(pair)]));

/** "a, b and 4 more". */
export function listOf(names: readonly string[]): string {
  const more = names.length - mostSentences;
  const shown = more > 0 ? [...names.slice(0, mostSentences), `${formatCount(more)} more`] : names;
  return new Intl.ListFormat('en-GB').format(shown);
}
