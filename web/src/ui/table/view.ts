import { nextDayStart, startOfDay } from './localDays';

/** What an admin has chosen to see of a table. All of it stands in the address. */
export interface View {
  q: string;
  /** A column's field, with a minus for descending; empty for the list's own order. */
  sort: string;
  /** By filter name, e.g. `status`; only those that are set. */
  filters: Readonly<Record<string, string>>;
  /** Keys of the columns that are not shown. */
  hidden: readonly string[];
}

/** A `flag` is off or has its one value. */
export type FilterKind = 'choice' | 'flag' | 'day' | 'amount';

export interface Filter {
  /** Its name in the address: short, and never changed, for links outlive versions. */
  name: string;
  kind: FilterKind;
  label: string;
  /** The server's name for it. */
  param: string;
  /** The values that there are; without them any text is taken. */
  values?: readonly string[];
  /** The last day of a range is part of it. */
  isLastDay?: boolean;
  /** The filter that holds the beginning of the range that this one ends. */
  endOf?: string;
}

/** What the address of a table may say. Whatever else it says is left out. */
export interface ViewSchema {
  filters: readonly Filter[];
  sorts: readonly string[];
  /** Written with the sign, e.g. `-createdAt`. */
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
    if (value !== null && isGood(filter, value)) filters[filter.name] = value;
  }
  const sort = given.get('sort') ?? '';
  const hidden = (given.get('hide') ?? '').split(',');
  const known = schema.columns.filter((key) => hidden.includes(key));
  return {
    q: (given.get('q') ?? '').slice(0, longestSearch),
    sort: isSort(sort, schema) && sort !== schema.defaultSort ? sort : '',
    filters,
    // A table without columns is nothing to look at.
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

/** The same view in the words of the server. */
export function queryOf(view: View, schema: ViewSchema): Record<string, string> {
  const query: Record<string, string> = {};
  const q = view.q.trim();
  if (q) query.q = q;
  for (const filter of schema.filters) {
    const value = view.filters[filter.name];
    if (value) query[filter.param] = valueFor(filter, value);
  }
  if (view.sort) query.sort = view.sort;
  return query;
}

/** What the address says now, in the words of the server. */
export const queryNow = (schema: ViewSchema) =>
  queryOf(parseView(window.location.search, schema), schema);

export const isNarrowed = (view: View) =>
  view.q.trim() !== '' || Object.keys(view.filters).length > 0;

function valueFor(filter: Filter, value: string): string {
  if (filter.kind !== 'day') return value;
  return filter.isLastDay ? nextDayStart(value) : startOfDay(value);
}

function isSort(sort: string, schema: ViewSchema): boolean {
  return schema.sorts.includes(sort.replace(/^-/, ''));
}

export function isGood(filter: Filter, value: string): boolean {
  if (filter.kind === 'amount') return /^\d{1,11}(\.\d{1,2})?$/.test(value);
  if (filter.kind === 'day') return /^(19|20)\d{2}-\d{2}-\d{2}$/.test(value) && isDay(value);
  if (filter.values) return filter.values.includes(value);
  return value.length > 0 && value.length <= longestValue;
}

/** Such as 30 February is not. */
function isDay(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** Clicked once ascending, again descending, then as the list comes. */
export function nextSort(sort: string, field: string, defaultSort: string): string {
  const now = sort || defaultSort;
  const next = now === field ? `-${field}` : now === `-${field}` ? '' : field;
  // Where the list's own order is this column's, back to it would be no change.
  return next === '' && defaultSort === now ? field : next === defaultSort ? '' : next;
}
