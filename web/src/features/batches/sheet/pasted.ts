import { countOf } from '../../../ui/text/rupees';
import type { BatchClaim, Texts } from './references';

export interface Pasted {
  references: Texts;
  /** What is wrong with the pasted lines, by claim. */
  flaws: Texts;
  /** What is wrong and belongs to no claim. */
  trouble: string;
}

const noLine = 'No line was pasted for this claim.';
const nothing = (trouble: string): Pasted => ({ references: {}, flaws: {}, trouble });

/**
 * Matches a column of references from a spreadsheet to claims: by claim number if the lines have two columns, otherwise
 * by order, from the claim at `start` of those in view.
 */
export function matchPasted(
  text: string,
  claims: readonly BatchClaim[],
  inView: readonly BatchClaim[],
  start = 0,
): Pasted {
  const lines = linesOf(text);
  if (lines.every((cells) => cells.length === 0)) return nothing('Nothing was pasted.');
  const widest = Math.max(...lines.map((cells) => cells.length));
  if (widest === 1) return byOrder(lines, inView, start);
  return widest === 2
    ? byNumber(lines, claims)
    : nothing('Paste one column of references, or two: claim number and reference.');
}

/** Only words that a column is called by: "pending" or "-" in place of a reference belongs to a claim. */
const headingWords =
  /^(claims?|bank|payment|payout|transfer|transaction|txn|utr|rrn|ref|refs|references?|ids?|no|nos|numbers?)$/i;
const isHeading = (cells: readonly string[]) =>
  cells.length > 0 &&
  cells.every((cell) => {
    const words = cell.split(/[^\p{L}]+/u).filter(Boolean);
    return !/\d/.test(cell) && words.length > 0 && words.every((word) => headingWords.test(word));
  });

const numberIn = (cell: string) => /^(?:C-?)?(\d{1,15})$/i.exec(cell)?.[1] ?? '';

/** The cells of each line that are not empty. A heading and empty lines at the end are left out. */
function linesOf(text: string): string[][] {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) =>
      // From a message instead of a spreadsheet: "C-10482, N319…" or "C-10482 N319…".
      (line.includes('\t') ? line : line.replace(/^\s*(C-\d+)[\s,;:]+/i, '$1\t'))
        .split('\t')
        .map((cell) => cell.trim())
        .filter(Boolean),
    );
  return isHeading(lines[0] ?? []) ? lines.slice(1) : lines;
}

function byOrder(lines: readonly string[][], inView: readonly BatchClaim[], start: number): Pasted {
  const references: Record<string, string> = {};
  const flaws: Record<string, string> = {};
  const claims = inView.slice(start);
  for (const [place, { _id }] of claims.entries()) {
    const [reference] = lines[place] ?? [];
    if (reference) references[_id] = reference;
    else if (place < lines.length) flaws[_id] = 'The line for this claim was empty.';
    else if (start === 0) flaws[_id] = noLine;
  }
  const [last, more] = [claims.at(-1), lines.length - claims.length];
  if (last && more > 0)
    flaws[last._id] = `${countOf(more, 'more line')} pasted than there are claims.`;
  return { references, flaws, trouble: '' };
}

function byNumber(lines: readonly string[][], claims: readonly BatchClaim[]): Pasted {
  const byDigits = new Map(claims.map((claim) => [numberIn(claim.number), claim]));
  const filled = lines.filter((cells) => cells.length > 0);
  const isNumber = (cell = '') => /^C-?\d+$/i.test(cell) || byDigits.has(numberIn(cell));
  const columns = [0, 1].filter((column) => filled.every((cells) => isNumber(cells[column])));
  const [column] = columns;
  if (column === undefined)
    return nothing('Each line needs two columns: a claim number such as C-10482, and a reference.');
  const references: Record<string, string> = {};
  const flaws: Record<string, string> = {};
  const strangers: string[] = [];
  for (const cells of filled) {
    const [number = '', reference = ''] = column === 0 ? cells : [...cells].reverse();
    const claim = byDigits.get(numberIn(number));
    if (!claim) strangers.push(number);
    else if (claim._id in references) flaws[claim._id] = 'Two of the pasted lines name this claim.';
    else references[claim._id] = reference;
  }
  for (const { _id } of claims) if (!(_id in references)) flaws[_id] ??= noLine;
  const named = strangers.slice(0, 3).join(', ');
  const more = strangers.length > 3 ? ` and ${strangers.length - 3} more` : '';
  const isOrAre = strangers.length === 1 ? 'is' : 'are';
  return {
    references,
    flaws,
    trouble: strangers.length > 0 ? `${named}${more} ${isOrAre} not in this batch.` : '',
  };
}
