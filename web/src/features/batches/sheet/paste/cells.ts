import { isHeading } from './headings';
import { claimNumbersIn, plainText } from './values';

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

/** Reads text as spreadsheets copy it. Empty lines at the end are left out. */
export function tableOf(text: string): Table {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\s+$/, '');
  const lines = linesOf(plain).map((cells, index) => {
    const found = cells.map(plainCell);
    return { place: index + 1, cells: (found.length === 1 && inMessage(found[0])) || found };
  });
  const [first, ...others] = lines;
  const isHeaded = first !== undefined && isHeading(first.cells);
  const rows = isHeaded ? others : lines;
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: widest }, (_, column) => column);
  // "UTR" above the lines of a message is the heading of none of their parts.
  const isOfMessage = first?.cells.length === 1 && widest > 1;
  return {
    headings: isHeaded && !isOfMessage ? first.cells : [],
    lines: rows,
    columns: columns.filter((column) => rows.some(({ cells }) => cells[column])),
  };
}

/** A line of a message instead of a spreadsheet: "C-10482, N319…" or "N319… C10482". */
function inMessage(line = ''): readonly string[] | undefined {
  const plain = plainText(line);
  const [found, ...others] = claimNumbersIn(plain);
  if (!found || others.length > 0) return undefined;
  const [before, after] = [plain.slice(0, found.index), plain.slice(found.index + found[0].length)];
  const rest = [before, after].map((part) => part.replace(/^[\s,;:|-]+|[\s,;:|-]+$/g, ''));
  const [reference = '', ...more] = rest.filter(Boolean);
  return reference && more.length === 0 ? [found[0], reference] : undefined;
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
