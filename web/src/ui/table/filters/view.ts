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
  /** The filter is the inclusive last day of a range. */
  isLastDay?: boolean;
  /** The filter that begins the range which this one ends. */
  endOf?: string;
}

/** What the URL of a table may contain. Everything else is ignored. */
export interface ViewSchema {
  filters: readonly Filter[];
  sorts: readonly string[];
  /** With its sign, e.g. `-createdAt`. */
  defaultSort: string;
  columns: readonly string[];
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
  const sort = given.get('sort') ?? '';
  const isKnown = schema.sorts.includes(sort.replace(/^-/, ''));
  const hidden = (given.get('hide') ?? '').split(',');
  const known = schema.columns.filter((key) => hidden.includes(key));
  return {
    q: (given.get('q') ?? '').slice(0, longestSearch),
    sort: isKnown && sort !== schema.defaultSort ? sort : '',
    filters,
    // At least one column stays visible.
    hidden: known.length < schema.columns.length ? known : [],
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
  if (view.hidden.length > 0) search.set('hide', view.hidden.join(','));
  return search.toString();
}

export function queryOf(view: View, schema: ViewSchema): Record<string, string> {
  const query: Record<string, string> = {};
  const q = view.q.trim();
  if (q) query.q = q;
  for (const { name, param, kind, isLastDay } of schema.filters) {
    const value = view.filters[name];
    if (value) query[param] = kind === 'day' ? startOfDay(value, isLastDay ? 1 : 0) : value;
  }
  if (view.sort) query.sort = view.sort;
  return query;
}

/** The current URL as the server's query parameters. */
export const queryNow = (schema: ViewSchema) =>
  queryOf(parseView(window.location.search, schema), schema);

export const isFiltered = (view: View) =>
  view.q.trim() !== '' || Object.keys(view.filters).length > 0;

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

/** The instant at which a day in the admin's time zone, e.g. `2026-11-15`, or a later one begins. */
export function startOfDay(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Uses calendar arithmetic instead of adding 24 hours: some days have 23 or 25.
  return new Date(year, month - 1, date + daysLater).toISOString();
}
