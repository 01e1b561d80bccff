import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from '../address';
import { formatView, parseView, queryOf, type View, type ViewSchema } from './view';

export interface ViewControl {
  view: View;
  schema: ViewSchema;
  /** For the server. The same object as long as it says the same. */
  query: Readonly<Record<string, string>>;
  /** The address' query string, for saved views. */
  search: string;
  /** Choosing is a step that Back undoes; typing is not. */
  change: (part: Partial<View>, how?: 'choose' | 'type') => void;
  apply: (search: string) => void;
}

/** The view that the address describes. */
export function useView(schema: ViewSchema): ViewControl {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const view = useMemo(() => parseView(search, schema), [search, schema]);
  const queryName = JSON.stringify(queryOf(view, schema));
  const query = useMemo(() => JSON.parse(queryName) as Record<string, string>, [queryName]);

  const apply = useCallback(
    (next: string) => navigate(next ? `${path}?${next}` : path),
    [navigate, path],
  );
  const change = useCallback(
    (part: Partial<View>, how: 'choose' | 'type' = 'choose') => {
      // From the address as it is now: two changes may come before one render.
      const now = parseView(window.location.search, schema);
      const next = formatView({ ...now, ...part }, schema);
      if (next === formatView(now, schema)) return;
      navigate(next ? `${path}?${next}` : path, { replace: how === 'type' });
    },
    [navigate, path, schema],
  );
  return { view, schema, query, search: formatView(view, schema), change, apply };
}

/** Sets or, with an empty value, takes away one filter. */
export function withFilter(view: View, name: string, value: string): Pick<View, 'filters'> {
  const { [name]: _, ...others } = view.filters;
  return { filters: value ? { ...others, [name]: value } : others };
}
