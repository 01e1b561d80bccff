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

export interface TableTools {
  Export?: ComponentType<ExportToolProps>;
  Views?: ComponentType<ViewsToolProps>;
  /** The tools are about to be used: what they open can be fetched. */
  prepare?: () => void;
}

/** Tools that come from other features: the app puts them in, for no feature may know another. */
export const TableToolsContext = createContext<TableTools>({});
