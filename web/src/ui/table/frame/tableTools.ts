import { type ComponentType, createContext } from 'react';

export type TableScreen = 'claims' | 'purchases' | 'qr' | 'users' | 'audit';

export interface ExportToolProps {
  list: Exclude<TableScreen, 'qr'>;
  /** The filters and the order, as the server's query parameters. */
  query: Readonly<Record<string, string>>;
  /** The number of matches, if it is known exactly. */
  count: number | undefined;
}

interface ViewsToolProps {
  screen: TableScreen;
  /** The URL's query string, without the question mark. */
  search: string;
  onApply: (search: string) => void;
}

export interface SeenRow {
  _id: string;
  version: number;
}

export interface BulkToolProps {
  /** The selected rows or, with `isAll`, the excluded ones. */
  rows: readonly SeenRow[];
  /** All rows that match the query are selected, except `rows`. */
  isAll: boolean;
  query: Readonly<Record<string, string>>;
  /** The order of the list, as the server's parameter; undefined for the usual one. */
  sort: string | undefined;
  /** Called when the batch has started: the selection is cleared. */
  onStarted: () => void;
}

export interface TableTools {
  Export?: ComponentType<ExportToolProps>;
  Views?: ComponentType<ViewsToolProps>;
  Bulk?: ComponentType<BulkToolProps>;
}

/** Tools from other features. The app provides them, because features must not import each other. */
export const TableToolsContext = createContext<TableTools>({});
