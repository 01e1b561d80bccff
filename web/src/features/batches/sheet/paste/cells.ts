/** A line of a paste with its cells. `place` counts from 1 as in the spreadsheet, headings included. */
export interface Line {
  place: number;
  cells: readonly string[];
}

export interface Table {
  /** Empty if the first line is not a heading. */
  headings: readonly string[];
  lines: readonly Line[];
  /** The columns in which at least one line has something. */
  columns: readonly number[];
}

/** From a message instead of a spreadsheet: "C-10482, N319…" or "C-10482 N319…". */
const inMessage = /^(\s*C-\d+)[\s,;:]+(?=\S)/i;

/** Reads text as spreadsheets copy it. Empty lines at the end are left out. */
export function tableOf(text: string): Table {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\s+$/, '');
  const lines = linesOf(plain).map((cells, index) => ({
    place: index + 1,
    cells: (cells.length === 1
      ? (cells[0] ?? '').replace(inMessage, '$1\t').split('\t')
      : cells
    ).map(plainCell),
  }));
  const [first, ...others] = lines;
  const isHeaded = first !== undefined && isHeading(first.cells);
  const rows = isHeaded ? others : lines;
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: widest }, (_, column) => column);
  return {
    headings: isHeaded ? first.cells : [],
    lines: rows,
    columns: columns.filter((column) => rows.some(({ cells }) => cells[column])),
  };
}

/** Cells with line breaks or tabs in them are quoted. */
function linesOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, bare = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/gy,
  )) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\n') lines.push([]);
    if (end === '') break;
  }
  return lines;
}

/** Without what spreadsheets and our own copy put before a number so that it stays a text: '0045… and ="0045…". */
const plainCell = (cell: string) =>
  cell
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^['’‘]/, '')
    .trim();

/** Only words that a column is called by: "pending" or "-" in place of a reference is no heading. */
const headingWords = new Set(
  (
    'a ac acc account accounts acct action address amount amt bank beneficiary c claim claims client code created ' +
    'customer date external holder id ids ifsc income invest mobile name names no nos number numbers payee payment ' +
    'payout phone qr ref reference references refs rrn rs rupees s serial sl sr transaction transfer txn user username utr'
  ).split(' '),
);

export const wordsOf = (heading: string) =>
  heading
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);

/** Without a digit, which every line of a claim has, and with the name of at least one column. */
function isHeading(cells: readonly string[]): boolean {
  if (cells.some((cell) => /\p{N}/u.test(cell))) return false;
  return cells.some((cell) => {
    const words = wordsOf(cell);
    return words.length > 0 && words.every((word) => headingWords.has(word));
  });
}
