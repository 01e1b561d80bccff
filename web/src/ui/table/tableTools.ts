import { type ComponentType, createContext } from 'react';

export type TableScreen = 'claims' | 'purchases' | 'qr' | 'users';

export interface ExportToolProps {
  list: 'claims' | 'purchases' | 'users';
  /** The filters and the order, in the server's words. */
  query: Readonly<Record<string, string>>;
  /** How many match, when that is known exactly. */
  count: number | undefined;
}

export interface ViewsToolProps {
  screen: TableScreen;
  /** The address' query string, without the question mark. */
  search: string;
  onApply: (search: string) => void;
}

/** A row as the admin saw it. */
export interface SeenRow {
  _id: string;
  version: number;
}

export interface BulkToolProps {
  /** Those chosen, or with `isAll` those left out. */
  rows: readonly SeenRow[];
  /** All that match the query. */
  isAll: boolean;
  query: Readonly<Record<string, string>>;
  /** They are on their way: nothing is chosen any more. */
  onStarted: () => void;
}

export interface TableTools {
  Export?: ComponentType<ExportToolProps>;
  Views?: ComponentType<ViewsToolProps>;
  /** What can be done with many rows at once. */
  Bulk?: ComponentType<BulkToolProps>;
  /** The tools are about to be used: what they open can be fetched. */
  prepare?: () => void;
}

/** Tools that come from other features: the app puts them in, for no feature may know another. */
export const TableToolsContext = createContext<TableTools>({});
