import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: string;
  /** A CSS grid track, e.g. `minmax(120px, 1fr)`. */
  width: string;
  align?: 'end';
  /** `strong` for who it is about, `quiet` for what is rarely read, `figures` for digits in columns. */
  look?: 'strong' | 'quiet' | 'figures';
  /** The field it is sorted by, where it can be. */
  sort?: string;
  /** A string is clipped when it does not fit and stays readable whole; anything else is shown as it is. */
  cell: (row: Row, index: number) => ReactNode;
  /** The value in full, for copies and for the row's own panel. Left out there where it says nothing. */
  text?: (row: Row, index: number) => string;
  /** A click on it opens the row's panel. */
  opens?: boolean;
  panel?: {
    /** Its name in the panel, where the column's own does not fit. */
    header?: string;
    /** Offers to copy the value. */
    copy?: boolean;
    /** What is worth a look about the value, in sentences. */
    notes?: (row: Row) => readonly string[];
  };
  card: {
    /** The name of the grid area in the card layouts. */
    area: string;
    /** Shows the column's name before the value, where the value does not explain itself. */
    label?: boolean;
  };
}

/** What is said about a column without its rows. */
export type ColumnName = Pick<Column<never>, 'key' | 'header' | 'sort'>;

/** How a row looks as a card, on windows up to `upTo` pixels wide. The height is fixed: rows are windowed. */
export interface CardLayout {
  upTo: number;
  height: number;
  columns: string;
  /** Grid rows, where `auto` is not enough. */
  rows?: string;
  areas: string;
  /** The areas whose text stands at the right edge. */
  atEnd: readonly string[];
}

/** What a table needs to know about the list it shows. */
export interface List<Row> {
  /** Another key means other rows: the table starts at their top. */
  key: string;
  /** Undefined until the first answer; kept while a newer one is on its way. */
  count: number | undefined;
  /** If not, there are at least `count`. */
  isCountExact: boolean;
  /** Undefined while the row is on its way. */
  rowAt: (index: number) => Row | undefined;
  /** Why the row at this place could not be read. */
  failureAt: (index: number) => string | undefined;
  retryAt: (index: number) => void;
  /** Told which places are drawn; `kept` is one more that must stay, or -1. */
  show: (start: number, end: number, kept: number) => void;
  /** Why the last attempt failed, in a sentence. */
  failure: string | undefined;
  isLoading: boolean;
  reload: () => void;
  /** Rows that wait above the first. */
  newAbove: number;
  showNew: () => void;
  /** The rows are those from before a search or filter that is on its way: to look at, not to act on. */
  isOutdated: boolean;
}

const nothing = () => undefined;

/** A list that is all there, e.g. because it is short. */
export function wholeList<Row>(
  rows: readonly Row[] | undefined,
  rest: Pick<List<Row>, 'failure' | 'isLoading' | 'reload'>,
): List<Row> {
  return {
    key: '',
    count: rows?.length,
    isCountExact: true,
    rowAt: (index) => rows?.[index],
    failureAt: nothing,
    retryAt: nothing,
    show: nothing,
    newAbove: 0,
    showNew: nothing,
    isOutdated: false,
    ...rest,
  };
}
