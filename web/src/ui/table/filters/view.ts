/** The state of a table that an admin has chosen. All of it is stored in the URL. */
export interface View {
  q: string;
  /** A column's field, with a minus for descending; empty for the default order. */
  sort: string;
  /** Values by filter name, e.g. `status`; only filters that are set. */
  filters: Readonly<Record<string, string>>;
  hidden: readonly string[];
}

export interface Filter {
  /** The name in the URL: short, and never changed, because links outlive releases. */
  name: string;
  /** A `flag` is either off or set to its only value. */
  kind: 'choice' | 'flag' | 'day' | 'amount';
  label: string;
  param: string;
  /** The allowed values; without them any text is accepted. */
  values?: readonly string[];
  /** The filter that begins the range which this one ends. */
  endOf?: string;
  /** It means nothing without this other filter. */
  needs?: string;
  /** Links set it. The form cannot list its values, so it offers the filter only to remove it. */
  isSetByLinks?: boolean;
}

/** What the URL of a table may contain. Everything else is ignored. */
export interface ViewSchema {
  filters: readonly Filter[];
  sorts: readonly string[];
  /** With its sign, e.g. `-createdAt`. */
  defaultSort: string;
  columns: readonly string[];
  /** Columns that are hidden unless the admin chooses them. */
  optional?: readonly string[];
  /** The parameter of the search field, if it is not `q`. */
  searchParam?: string;
  /** Which fields a request for rows asks for, if it depends on the columns. */
  fieldsFor?: (isShown: (column: string) => boolean) => string;
}

export const longestSearch = 100;
const longestValue = 200;

export function parseView(search: string, schema: ViewSchema): View {
  const given = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const filter of schema.filters) {
    const value = given.get(filter.name);
    if (value !== null && isValidValue(filter, value)) filters[filter.name] = value;
  }
  for (const { name, needs } of schema.filters) if (needs && !filters[needs]) delete filters[name];
  const sort = given.get('sort') ?? '';
  const isKnown = schema.sorts.includes(sort.replace(/^-/, ''));
  const { columns, optional = [] } = schema;
  const [hide, show] = ['hide', 'show'].map((name) => (given.get(name) ?? '').split(','));
  const hidden = columns.filter((key) =>
    optional.includes(key) ? !show?.includes(key) : hide?.includes(key),
  );
  return {
    q: (given.get('q') ?? '').slice(0, longestSearch),
    sort: isKnown && sort !== schema.defaultSort ? sort : '',
    filters,
    // At least one column stays visible.
    hidden: hidden.length < columns.length ? hidden : optional,
  };
}

export function formatView(view: View, schema: ViewSchema): string {
  const search = new URLSearchParams();
  if (view.q) search.set('q', view.q);
  for (const { name } of schema.filters) {
    const value = view.filters[name];
    if (value) search.set(name, value);
  }
  if (view.sort && view.sort !== schema.defaultSort) search.set('sort', view.sort);
  const { columns, optional = [] } = schema;
  const hide = columns.filter((key) => view.hidden.includes(key) && !optional.includes(key));
  const show = optional.filter((key) => !view.hidden.includes(key));
  if (hide.length > 0) search.set('hide', hide.join(','));
  if (show.length > 0) search.set('show', show.join(','));
  return search.toString();
}

export function queryOf(view: View, schema: ViewSchema): Record<string, string> {
  const query: Record<string, string> = {};
  const q = view.q.trim();
  if (q) query[schema.searchParam ?? 'q'] = q;
  // Days too: the server knows when they begin and end at the desk.
  for (const { name, param } of schema.filters) {
    const value = view.filters[name];
    if (value) query[param] = value;
  }
  if (view.sort) query.sort = view.sort;
  return query;
}

/** The same for the rows, which need more fields for some columns. */
export function rowsQueryOf(view: View, schema: ViewSchema): Record<string, string> {
  const fields = schema.fieldsFor?.((column) => !view.hidden.includes(column));
  return { ...queryOf(view, schema), ...(fields && { with: fields }) };
}

/** The current URL as the server's query parameters for the rows. */
export const rowsQueryNow = (schema: ViewSchema) =>
  rowsQueryOf(parseView(window.location.search, schema), schema);

export const isFiltered = (view: View) =>
  view.q.trim() !== '' || Object.keys(view.filters).length > 0;

/** Clears the search and the filters. The `kept` filter stays unless it is the only one. */
export function withoutFilters(view: View, kept = ''): Pick<View, 'q' | 'filters'> {
  const { [kept]: value, ...others } = view.filters;
  const isAlone = !isFiltered({ ...view, filters: others });
  return { q: '', filters: value && !isAlone ? { [kept]: value } : {} };
}

export function isValidValue(filter: Filter, value: string): boolean {
  if (filter.kind === 'amount') return /^\d{1,11}(\.\d{1,2})?$/.test(value);
  if (filter.kind === 'day') return /^(19|20)\d{2}-\d{2}-\d{2}$/.test(value) && isDay(value);
  if (filter.values) return filter.values.includes(value);
  return value.length > 0 && value.length <= longestValue;
}

/** Whether the date exists: 30 February does not. */
function isDay(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** The first click sorts ascending, the second descending, the third restores the default order. */
export function nextSort(sort: string, field: string, defaultSort: string): string {
  const now = sort || defaultSort;
  const next = now === field ? `-${field}` : now === `-${field}` ? '' : field;
  // If this column defines the default order, restoring it would change nothing.
  return next === '' && defaultSort === now ? field : next === defaultSort ? '' : next;
}
