import type { ReactNode } from 'react';

export interface WithId {
  _id: string;
}

export interface Column<Row> {
  /** Also the name of the grid area in the card layouts. */
  key: string;
  header: string;
  /** A CSS grid track, e.g. `minmax(120px, 1fr)`. */
  width: string;
  /** The narrowest window in which a table has room for it; the row's panel has it in any. */
  from?: number;
  align?: 'end';
  /** `strong` for the person, `quiet` for what is rarely read, `figures` for aligned digits. */
  look?: 'strong' | 'quiet' | 'figures';
  sort?: string;
  /** The permission without which it cannot be sorted by. */
  sortNeeds?: string;
  /** Without it the cell shows the text. A string is clipped if it does not fit; anything else is rendered as it is. */
  cell?: (row: Row, index: number) => ReactNode;
  /** The full value, for copying and for the row's panel. The panel omits it if it is empty. */
  text?: (row: Row, index: number) => string;
  /** Copied even while the column is hidden: what is pasted back is found by it. */
  isAlwaysCopied?: boolean;
  /** Its text names the row. A click on it opens the row's panel, unless it is a link. */
  opens?: boolean;
  /** Where the name links to. */
  href?: (row: Row) => string;
  panel?: {
    /** The label in the panel, if the column's header does not fit. */
    header?: string;
    copy?: boolean;
  };
  /** In a card, shows the header before the value, if the value does not explain itself. */
  hasCardLabel?: boolean;
}

export type ColumnName = Pick<Column<never>, 'key' | 'header' | 'sort'>;

/** The layout of a row as a card, in windows too narrow for a table. The height is fixed: rows are virtualized. */
export interface CardLayout {
  height: number;
  columns: string;
  /** Grid rows, if `auto` is not enough. */
  rows?: string;
  areas: string;
  atEnd: readonly string[];
}

/** How the rows are drawn: the visible columns, as cards if there is a card layout. */
export interface RowLayout<Row> {
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
  rowHeight: number;
  /** Columns that are usually hidden are shown: if they do not fit, the table scrolls sideways. */
  isWide: boolean;
}

/** Whether a card has a place for the column. */
export const hasPlace = ({ areas }: CardLayout, key: string) => areas.split(/[" ]+/).includes(key);

export interface List<Row> {
  /** A different key means different rows: the table scrolls to the top. */
  key: string;
  /** Undefined until the first response; kept during a refetch. */
  count: number | undefined;
  /** If false, there are at least `count`. */
  isCountExact: boolean;
  rowAt: (index: number) => Row | undefined;
  failureAt?: (index: number) => string | undefined;
  retryAt?: (index: number) => void;
  /** Called with the range of rendered rows; `kept` is one more row that must stay loaded, or -1. */
  show?: (start: number, end: number, kept: number) => void;
  failure: string | undefined;
  isLoading: boolean;
  /** The server is too busy to answer the first time; the rows are requested again. */
  isHeldUp?: boolean;
  reload: () => void;
  /**
   * Reports each change of a row that is not among the loaded rows, until the returned function is called. `read` reads
   * that row again. A list that is loaded completely does without it.
   */
  watch?: (
    row: Row,
    read: () => Promise<Row | undefined>,
    onChange: (row: Row) => void,
  ) => () => void;
  /**
   * Keeps these rows as current as the loaded ones, until the returned function is called. A list that is loaded
   * completely does without it.
   */
  hold?: (held: {
    rows: () => Iterable<Row>;
    /** `newest` returns the row itself if nothing newer is known. */
    renew: (newest: (row: Row) => Row) => void;
  }) => () => void;
  /** The number of new rows above the first one that are not shown yet. */
  newAbove?: number;
  showNew?: () => void;
  /** The rows belong to the previous search or filter while the new one loads: visible but read-only. */
  isOutdated?: boolean;
}

/** A list that is loaded completely, e.g. because it is short. */
export const wholeList = <Row>(
  rows: readonly Row[] | undefined,
  rest: Pick<List<Row>, 'failure' | 'isLoading' | 'isHeldUp' | 'reload'>,
): List<Row> => ({
  key: '',
  count: rows?.length,
  isCountExact: true,
  rowAt: (index) => rows?.[index],
  ...rest,
});
