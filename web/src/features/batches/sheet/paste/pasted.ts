import { nameInText } from '../../../../ui/text/names';
import { countOf, formatCount } from '../../../../ui/text/rupees';
import { type BatchClaim, doubtAbout, type Texts } from '../references';
import { type Line, type Table, tableOf } from './cells';
import { type Columns, columnsOf } from './columns';
import { isOfNumbers, type Role, roleOf } from './headings';
import { type Names, namesIn } from './names';
import { orderText } from './order';
import { otherText } from './otherText';
import {
  disagreements,
  listOf,
  otherClaims,
  type Pair,
  Refused,
  refuseFlawed,
  refuseIfAny,
  repeated,
  textsOf,
  unpaidTexts,
} from './refusals';
import { accountKey, isClaimNumber, isSameAccount, nameKey, numberKey, paiseOf } from './values';

/** The sheet that is pasted into. */
export interface PasteTarget {
  /** All claims of the batch, also those that were removed from the sheet. */
  claims: readonly BatchClaim[];
  /** The rows of the sheet in their order. */
  listed: readonly BatchClaim[];
  /** Rows that are left out, because others changed these claims meanwhile. */
  moved: Texts;
  isFiltered: boolean;
  /** The order of the list that the sheet has. */
  sort: string | undefined;
}

export interface Matched {
  references: Texts;
  /** The pasted line that each claim got. */
  lines: Readonly<Record<string, number>>;
  /** What an admin has to compare, by claim. */
  doubts: Texts;
  /** What the admin has to confirm before the payment; empty if the paste itself leaves no doubt. */
  question: string;
}

/** A paste is read as a whole or not at all. The sentences of a refusal say what disagrees, and where. */
export type Pasted = Matched | { refusal: readonly string[] };

/** Matches references from a spreadsheet to claims: by what the other columns say or, without any, by order. */
export function matchPasted(text: string, target: PasteTarget): Pasted {
  try {
    const table = tableOf(text);
    if (table.columns.length === 0) throw new Refused(['The paste was empty.']);
    return table.columns.length === 1 ? matchByOrder(table, target) : matchByClaim(table, target);
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.sentences };
    throw error;
  }
}

function matchByOrder(table: Table, target: PasteTarget): Matched {
  const { claims, listed, isFiltered, sort } = target;
  if (isFiltered)
    throw new Refused([
      'A filter is on. A column of references is read in the order of the whole sheet: clear the filter and paste again.',
    ]);
  const [column = 0] = table.columns;
  const heading = table.headings[column] ?? '';
  if (heading && roleOf(heading) !== 'reference')
    throw new Refused([
      `The column is called ${heading}. If it is the bank references, call it UTR and paste it again.`,
    ]);
  if (table.lines.length !== listed.length)
    throw new Refused([countSentence(table.lines.length, target)]);
  const pairs = listed.flatMap((claim, row) => {
    const line = table.lines[row];
    return line ? [{ line, claim, reference: line.cells[column] ?? '' }] : [];
  });
  refuseIfAny(
    pairs.flatMap((pair) => unpaidTexts(pair, { status: [], other: [], reference: [column] })),
  );
  refuseFlawed(pairs, claims);
  const alike = grouped(listed, ({ username, amount }) => `${nameKey(username)} ${amount}`);
  const doubts = doubtsOf(pairs, ({ claim, reference }) => [
    doubtAbout(reference),
    otherText(reference, claim, claims),
    twinsText(claim, alike.of(claim)),
  ]);
  const [first] = pairs;
  const question =
    first && pairs.length > 1
      ? `Line ${first.line.place} is taken for ${first.claim.number}, the first row: the order of the list, ${orderText(sort)}. Compare each reference with the name and amount beside it.`
      : '';
  return matched(pairs, doubts, question);
}

function countSentence(count: number, { claims, listed, moved }: PasteTarget): string {
  const removed = claims.length - listed.length;
  const left = Object.keys(moved).length;
  return [
    `The paste has ${countOf(count, 'reference')}, and this sheet has ${countOf(listed.length, 'claim')}.`,
    removed > 0 &&
      `${countOf(removed, 'claim')} ${removed === 1 ? 'was' : 'were'} removed from it.`,
    left > 0 &&
      `${formatCount(left)} of them changed meanwhile and ${left === 1 ? 'keeps its row' : 'keep their rows'}.`,
    'Paste one reference for each row, or two columns: claim number and reference.',
  ]
    .filter(Boolean)
    .join(' ');
}

function matchByClaim(table: Table, target: PasteTarget): Matched {
  const lines = table.lines.filter(({ cells }) => cells.some(Boolean));
  const columns = columnsOf(table, target.claims);
  const reference = only('reference', columns, table, 'bank references');
  if (reference === undefined)
    throw new Refused(['The paste has no column of bank references. Give it the heading UTR.']);
  const number = only('number', columns, table, 'claim numbers');
  const find = number === undefined ? byAccount(columns, target) : byNumber(number, table, target);
  const pairs: Pair[] = [];
  const problems: string[] = [];
  for (const line of lines) {
    const found = find(line);
    if (typeof found === 'string') problems.push(`Line ${line.place}: ${found}`);
    else pairs.push({ line, claim: found, reference: line.cells[reference] ?? '' });
  }
  refuseIfAny(problems);
  refuseIfAny(
    repeated(
      pairs,
      ({ claim }) => claim._id,
      ({ claim }) => `are both for ${claim.number}`,
    ),
  );
  refuseIfAny(pairs.flatMap((pair) => disagreements(pair, columns)));
  refuseIfAny(pairs.flatMap((pair) => unpaidTexts(pair, columns)));
  refuseIfAny(pairs.flatMap((pair) => otherClaims(pair, columns)));
  const named = new Set(pairs.map(({ claim }) => claim));
  const missing = target.listed.filter(
    (claim) => !(claim._id in target.moved) && !named.has(claim),
  );
  if (missing.length > 0)
    throw new Refused([
      `The paste has no line for ${listOf(missing.map(({ number }) => number))}. Add ${missing.length === 1 ? 'it' : 'them'}, or remove ${missing.length === 1 ? 'that claim' : 'those claims'} from this sheet.`,
    ]);
  refuseFlawed(pairs, target.claims);
  const names = namesIn(target.claims);
  const doubts = doubtsOf(pairs, ({ line, claim, reference }) => [
    doubtAbout(reference),
    otherText(reference, claim, target.claims),
    ...columns.name.map((column) => otherName(line.cells[column] ?? '', claim, names)),
  ]);
  const doubted = Object.keys(doubts).length;
  const question =
    doubted > 0
      ? `${countOf(doubted, 'row')} of the paste ${doubted === 1 ? 'needs' : 'need'} a look: compare what is said below ${doubted === 1 ? 'its reference' : 'the references'}.`
      : '';
  return matched(pairs, doubts, question);
}

/** The only column with this role, or undefined. */
function only(role: Role, columns: Columns, { headings }: Table, what: string): number | undefined {
  const [first, ...others] = columns[role];
  if (others.length === 0) return first;
  const names = columns[role].map((column) => headings[column] || `column ${column + 1}`);
  throw new Refused([
    `These columns may all be ${what}: ${listOf(names)}. Paste one of them, or give it the heading ${role === 'number' ? 'Claim No' : 'UTR'}.`,
  ]);
}

type Find = (line: Line) => BatchClaim | string;

function byNumber(column: number, table: Table, { claims, listed }: PasteTarget): Find {
  const isOfDigits =
    isOfNumbers(table.headings[column] ?? '') ||
    table.lines.some(({ cells }) => isClaimNumber(cells[column] ?? ''));
  const present = new Set(listed);
  const byKey = new Map(claims.map((claim) => [numberKey(claim.number), claim]));
  return ({ cells }) => {
    const cell = cells[column] ?? '';
    const claim = byKey.get(numberKey(cell));
    if (!cell) return 'the claim number is missing.';
    if (!claim) return `${cell} is not in this sheet.`;
    if (!isOfDigits)
      return `${cell} may be an amount. Write ${claim.number}, or give the column the heading Claim No.`;
    return present.has(claim) ? claim : `${claim.number} was removed from this sheet.`;
  };
}

const fewestCompared = 4;

function byAccount(columns: Columns, { listed }: PasteTarget): Find {
  const [account, amount] = [columns.account[0], columns.amount[0]];
  if (account === undefined || amount === undefined)
    throw new Refused([
      'The paste has no claim numbers, such as C-10482. Paste two columns, claim number and reference, or the references alone. Digits without C- need the heading Claim No.',
    ]);
  const byAmount = grouped(listed, (claim) => String(Math.round(claim.amount * 100)));
  return ({ cells }) => {
    const [number = '', sum = ''] = [cells[account], cells[amount]];
    const fitting = byAmount
      .with(String(paiseOf(sum)))
      .filter(({ accountNo }) => isSameAccount(accountNo, number));
    const [claim, ...others] = fitting;
    // Too little is left of a masked account to tell it from others.
    const isKnown = accountKey(number.replace(/^.*•/, '')).length >= fewestCompared;
    if (!claim || !isKnown) return `no claim of this sheet is for ${sum} to the account ${number}.`;
    return others.length === 0
      ? claim
      : `${listOf(fitting.map(({ number: each }) => each))} have the same account and amount. Add a column with the claim numbers.`;
  };
}

function doubtsOf(pairs: readonly Pair[], find: (pair: Pair) => readonly string[]): Texts {
  const doubts = textsOf(pairs, (pair) => find(pair).filter(Boolean).join(' '));
  return Object.fromEntries(Object.entries(doubts).filter(([, text]) => text));
}

/** Rows that a comparison of name and amount does not tell from this one. */
function twinsText(claim: BatchClaim, alike: readonly BatchClaim[]): string {
  const twins = alike.filter((other) => other !== claim).map(({ number }) => number);
  return twins.length > 0
    ? `${listOf(twins)} ${twins.length === 1 ? 'has' : 'have'} the same name and amount.`
    : '';
}

function grouped(claims: readonly BatchClaim[], keyOf: (claim: BatchClaim) => string) {
  const groups = new Map<string, BatchClaim[]>();
  for (const claim of claims) {
    const key = keyOf(claim);
    const group = groups.get(key);
    if (group) group.push(claim);
    else groups.set(key, [claim]);
  }
  return {
    of: (claim: BatchClaim) => groups.get(keyOf(claim)) ?? [],
    with: (key: string) => groups.get(key) ?? [],
  };
}

const otherName = (said: string, claim: BatchClaim, names: Names) =>
  !said || names.isOf(said, claim) ? '' : `The paste says “${nameInText({ username: said })}”.`;

const matched = (pairs: readonly Pair[], doubts: Texts, question: string): Matched => ({
  references: textsOf(pairs, ({ reference }) => reference),
  lines: Object.fromEntries(pairs.map(({ claim, line }) => [claim._id, line.place])),
  doubts,
  question:
    question || (Object.keys(doubts).length > 0 ? 'Compare what is said below the reference.' : ''),
});
