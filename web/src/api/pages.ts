import { type QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query';
import { answerOf, dataOf, getFiltered } from './client';
import type { paths } from './schema.gen';

/** Where a page begins: `skip` rows after the cursor. */
interface Anchor {
  cursor?: string;
  skip?: number;
}

export interface PageAnswer<Row> {
  rows: readonly Row[];
  /** The cursor of the next page, or null at the end of the list. */
  next: string | null;
  /** The row count of the list, if the server can get it for no more than the cost of a page. */
  total: number | null;
}

export interface Page<Row> extends PageAnswer<Row> {
  anchor: Anchor;
  /** First page only: the number of rows added above it since, and the newer first page that contains them. */
  newAbove: number;
  fresh: PageAnswer<Row> | null;
}

type Query = Readonly<Record<string, string | number>>;

export interface WithId {
  _id: string;
}

/** A list that is read page by page, and its totals. */
export interface ListSource<Row extends WithId, Totals = unknown> {
  /** The first element of all its query keys. */
  noun: string;
  readRows: (
    query: Query,
    signal: AbortSignal,
  ) => Promise<{ data: readonly Row[]; response: Response }>;
  readTotals: (query: Query, signal: AbortSignal) => Promise<Totals>;
}

export const listSource = <RowsPath extends keyof paths, TotalsPath extends keyof paths>(
  noun: string,
  rowsPath: RowsPath,
  totalsPath: TotalsPath,
) => ({
  noun,
  readRows: (query: Query, signal: AbortSignal) => answerOf(getFiltered(rowsPath, query, signal)),
  readTotals: (query: Query, signal: AbortSignal) => dataOf(getFiltered(totalsPath, query, signal)),
});

export const rowsKey = (noun: string, query?: ListQuery) =>
  query ? [noun, 'rows', query] : [noun, 'rows'];

const pageKey = (noun: string, query: ListQuery, page: number) => [...rowsKey(noun, query), page];

export function pageOf<Row extends WithId>(
  client: QueryClient,
  source: ListSource<Row>,
  query: ListQuery,
  page: number,
): Page<Row> | undefined {
  return client.getQueryData(pageKey(source.noun, query, page));
}

/** Whether a page has neither loaded nor failed yet. */
export const isAwaited = (client: QueryClient, noun: string, query: ListQuery, page: number) =>
  (client.getQueryState(pageKey(noun, query, page))?.status ?? 'pending') === 'pending';

/**
 * One page of a list. All pages are located by cursors that start from the first page as it was first read, so rows
 * added above it later shift nothing. A refetch updates the contents of the rows but keeps the rows and their order.
 */
export function pageOptions<Row extends WithId>(
  client: QueryClient,
  source: ListSource<Row>,
  query: ListQuery,
  page: number,
) {
  return queryOptions({
    queryKey: pageKey(source.noun, query, page),
    queryFn: async ({ signal }): Promise<Page<Row>> => {
      const anchor =
        pageOf(client, source, query, page)?.anchor ?? anchorOf(client, source, query, page);
      // The list ends before this page.
      if (!anchor)
        return { rows: [], next: null, total: null, anchor: {}, newAbove: 0, fresh: null };
      const answer = await readPage(source, { ...query, limit: pageSize, ...anchor }, signal);
      const read = new Map(answer.rows.map((row) => [row._id, row]));
      renewHeld<Row>(source.noun, (row) => read.get(row._id) ?? row);
      // Read after the response: changes made to the cached page in the meantime must not be lost.
      const held = pageOf(client, source, query, page);
      if (!held || held.rows.length === 0) return { ...answer, anchor, newAbove: 0, fresh: null };
      return renewed(held, answer, page === 0);
    },
  });
}

async function readPage<Row extends WithId>(
  source: ListSource<Row>,
  query: Query,
  signal: AbortSignal,
): Promise<PageAnswer<Row>> {
  const { data, response } = await source.readRows(query, signal);
  const total = response.headers.get('X-Total-Count');
  return {
    rows: data,
    next: nextCursorOf(response.headers.get('Link')),
    total: total === null ? null : Number(total),
  };
}

/** Starts from the nearest earlier page in the cache: its cursor, plus a skip over the pages in between. */
function anchorOf<Row extends WithId>(
  client: QueryClient,
  source: ListSource<Row>,
  query: ListQuery,
  page: number,
): Anchor | null {
  if (page === 0) return {};
  const known = client
    .getQueriesData<Page<Row>>({ queryKey: rowsKey(source.noun, query) })
    .filter(([key, data]) => data && data.rows.length > 0 && Number(key.at(-1)) < page)
    .sort(([one], [other]) => Number(other.at(-1)) - Number(one.at(-1)));
  const [key, nearest] = known[0] ?? [];
  if (!key || !nearest?.next) return null;
  const skip = (page - Number(key.at(-1)) - 1) * pageSize;
  return { cursor: nearest.next, ...(skip > 0 && { skip }) };
}

export function nextCursorOf(link: string | null): string | null {
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part));
  const address = next && /<([^>]*)>/.exec(next)?.[1];
  return address ? new URL(address, window.location.origin).searchParams.get('cursor') : null;
}

function renewed<Row extends WithId>(
  held: Page<Row>,
  answer: PageAnswer<Row>,
  isFirst: boolean,
): Page<Row> {
  const news = new Map(answer.rows.map((row) => [row._id, row]));
  const rows = held.rows.map((row) => news.get(row._id) ?? row);
  if (!isFirst) return { ...held, rows };
  const known = new Set(rows.map(({ _id }) => _id));
  const firstKnown = answer.rows.findIndex((row) => known.has(row._id));
  const newAbove = firstKnown < 0 ? answer.rows.length : firstKnown;
  return { ...held, rows, newAbove, fresh: answer };
}

/** The filters, search and order of a list, and the fields of its rows, as the server's query parameters. */
export type ListQuery = Readonly<Record<string, string>>;

/** Rows per page: enough for a tall window and no more, because the first rows wait for the whole page. */
export const pageSize = 50;

/** The query without the sort order and the fields, which do not affect the count. */
export function filtersOf({ sort: _, ...query }: ListQuery): ListQuery {
  return withoutFields(query);
}

/** Which rows there are, and in which order: with other fields they are the same. */
export function withoutFields({ with: _, ...query }: ListQuery): ListQuery {
  return query;
}

/**
 * Reports each change of a row that is in none of the pages, e.g. because a link has opened it, until the returned
 * function is called. The row is cached as a page of its own: what changes or refetches the pages includes it.
 */
export function watchRow<Row extends WithId>(
  client: QueryClient,
  noun: string,
  row: Row,
  read: () => Promise<Row | undefined>,
  onChange: (row: Row) => void,
): () => void {
  const pageWith = (only: Row): Page<Row> => ({
    ...{ rows: [only], next: null, total: null },
    ...{ anchor: {}, newAbove: 0, fresh: null },
  });
  let last = row;
  const observer = new QueryObserver<Page<Row>>(client, {
    // Without a query in its place, so that it is not taken for a page of a list.
    queryKey: [...rowsKey(noun), 'watched', row._id],
    queryFn: async () => pageWith((await read()) ?? last),
    initialData: pageWith(row),
    gcTime: 0,
  });
  return observer.subscribe(({ data }) => {
    const now = data?.rows[0];
    if (!now || now === last) return;
    last = now;
    onChange(now);
  });
}

/** Rows that are kept beside the pages, e.g. because they are selected. Whatever changes the pages renews them too. */
export interface HeldRows<Row> {
  rows: () => Iterable<Row>;
  /** `newest` returns the row itself if nothing newer is known. */
  renew: (newest: (row: Row) => Row) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of a noun have one type
const heldByNoun = new Map<string, Set<HeldRows<any>>>();

/** Until the returned function is called. */
export function holdRows<Row>(noun: string, one: HeldRows<Row>): () => void {
  const all = heldByNoun.get(noun) ?? new Set();
  heldByNoun.set(noun, all.add(one));
  return () => void all.delete(one);
}

const heldOf = <Row>(noun: string): HeldRows<Row>[] => [...(heldByNoun.get(noun) ?? [])];

export const heldRows = <Row>(noun: string): Row[] =>
  heldOf<Row>(noun).flatMap(({ rows }) => [...rows()]);

function renewHeld<Row>(noun: string, newest: (row: Row) => Row) {
  for (const { renew } of heldOf<Row>(noun)) renew(newest);
}

/** Updates one row in place, in every cached page that contains it, and refetches the totals. */
export async function changeRow<Row extends WithId>(
  client: QueryClient,
  noun: string,
  id: string,
  change: (row: Row) => Row,
) {
  await changeRows(client, noun, new Map([[id, change]]));
  void client.invalidateQueries({ queryKey: [noun, 'totals'] });
}

/** Updates several rows by id. Refetching the totals is left to the caller. */
export async function changeRows<Row extends WithId>(
  client: QueryClient,
  noun: string,
  changes: ReadonlyMap<string, (row: Row) => Row>,
) {
  const queryKey = rowsKey(noun);
  // A page requested before the change must not overwrite newer data.
  const beingRead = new Set(client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await client.cancelQueries({ queryKey });
  const changed = <Part extends PageAnswer<Row>>(page: Part): Part =>
    page.rows.some(({ _id }) => changes.has(_id))
      ? { ...page, rows: page.rows.map((row) => changes.get(row._id)?.(row) ?? row) }
      : page;
  client.setQueriesData<Page<Row>>({ queryKey }, (page) => {
    if (!page) return page;
    const next = changed(page);
    const fresh = page.fresh && changed(page.fresh);
    // Pages without a changed row keep their identity, so they are not rendered again.
    return fresh === page.fresh ? next : { ...next, fresh };
  });
  renewHeld<Row>(noun, (row) => changes.get(row._id)?.(row) ?? row);
  // The cancelled pages are still needed; requested now, they cannot be older than the change.
  if (beingRead.size > 0) {
    void client.refetchQueries({ queryKey, predicate: (query) => beingRead.has(query) });
  }
}
