import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: string;
  /** A CSS grid track, e.g. `minmax(120px, 1fr)`. */
  width: string;
  align?: 'end';
  /** `strong` for who it is about, `quiet` for what is rarely read, `figures` for digits in columns. */
  look?: 'strong' | 'quiet' | 'figures';
  /** A string is clipped when it does not fit and stays readable whole; anything else is shown as it is. */
  cell: (row: Row, index: number) => ReactNode;
  card: {
    /** The name of the grid area in the card layouts. */
    area: string;
    /** Shows the column's name before the value, where the value does not explain itself. */
    label?: boolean;
  };
}

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
  /** Undefined until the first answer; kept while a newer one is on its way. */
  rows: readonly Row[] | undefined;
  /** Why the last attempt failed, in a sentence. */
  failure: string | undefined;
  isLoading: boolean;
  reload: () => void;
}
