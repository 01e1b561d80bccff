import { useCallback, useMemo } from 'react';
import { useLocation, useSearch, withoutRow } from '../../page/address';
import { formatView, parseView, queryOf, rowsQueryOf, type View, type ViewSchema } from './view';

type Query = Readonly<Record<string, string>>;

export interface ViewControl {
  view: View;
  schema: ViewSchema;
  /** The search, the filters and the order for the server. The object is the same as long as its content is the same. */
  query: Query;
  /** The query for the rows: it also says which fields they need. */
  rowsQuery: Query;
  search: string;
  /** Choosing adds a history entry that Back undoes; typing does not. */
  change: (part: Partial<View>, how?: 'choose' | 'type') => void;
  apply: (search: string) => void;
}

export function useView(schema: ViewSchema): ViewControl {
  const search = useSearch();
  const [address, navigate] = useLocation();
  const path = withoutRow(address);
  const view = useMemo(() => parseView(search, schema), [search, schema]);
  const query = useSame(queryOf(view, schema));
  const rowsQuery = useSame(rowsQueryOf(view, schema));

  const apply = useCallback(
    (next: string) => navigate(next ? `${path}?${next}` : path),
    [navigate, path],
  );
  const change = useCallback(
    (part: Partial<View>, how: 'choose' | 'type' = 'choose') => {
      // Read from the current URL: two changes can happen before one render.
      const now = parseView(window.location.search, schema);
      const next = formatView({ ...now, ...part }, schema);
      if (next === formatView(now, schema)) return;
      navigate(next ? `${path}?${next}` : path, { replace: how === 'type' });
    },
    [navigate, path, schema],
  );
  return { view, schema, query, rowsQuery, search: formatView(view, schema), change, apply };
}

function useSame(query: Query): Query {
  const text = JSON.stringify(query);
  return useMemo(() => JSON.parse(text), [text]);
}

/** Sets one filter, or removes it if the value is empty. */
export function withFilter(view: View, name: string, value: string): Pick<View, 'filters'> {
  const { [name]: _, ...others } = view.filters;
  return { filters: value ? { ...others, [name]: value } : others };
}
