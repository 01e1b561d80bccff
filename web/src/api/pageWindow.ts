import type { QueryClient } from '@tanstack/react-query';
import { type ListQuery, type Page, pageSize, rowsKey } from './pages';

/** How many rows outside the view are prefetched. */
export const prefetchedRows = 60;
const mostPages = 60;

/** The pages that a view needs. The first is always included: all other pages are located from it. */
export function pagesFor(start: number, end: number, kept: number, margin = 0): number[] {
  const pages = new Set([0]);
  if (kept >= 0) pages.add(Math.floor(kept / pageSize));
  const last = Math.floor((end - 1 + margin) / pageSize);
  for (let page = Math.floor(Math.max(0, start - margin) / pageSize); page <= last; page++) {
    pages.add(page);
  }
  return [...pages].sort((one, other) => one - other);
}

/** Removes the cached pages farthest from the view when there are more than `mostPages`. */
export function trimPages(client: QueryClient, noun: string, inView: readonly number[]) {
  const cache = client.getQueryCache();
  const all = cache.findAll({ queryKey: rowsKey(noun) });
  const distance = (page: number) => Math.min(...inView.map((seen) => Math.abs(seen - page)));
  const spare = all
    .filter((query) => !query.isActive())
    .sort(
      (one, other) =>
        distance(Number(other.queryKey.at(-1))) - distance(Number(one.queryKey.at(-1))),
    );
  for (const query of spare.slice(0, Math.max(0, all.length - mostPages))) cache.remove(query);
}

/**
 * The number of rows in the list, or a lower bound. It comes from the first page or from the totals. If both only
 * report "more than 10,000", or the totals are still being counted, the pages read so far give the bound, and the
 * last page gives the exact count.
 */
export function countFrom<Row>(
  client: QueryClient,
  noun: string,
  query: ListQuery,
  first: Page<Row>,
  counted: { count: number; isExact: boolean } | undefined,
): { count: number; isExact: boolean } {
  let atLeast = 0;
  let atMost = Number.POSITIVE_INFINITY;
  for (const [key, page] of client.getQueriesData<Page<Row>>({ queryKey: rowsKey(noun, query) })) {
    if (!page) continue;
    const start = Number(key.at(-1)) * pageSize;
    if (page.next) atLeast = Math.max(atLeast, start + pageSize + 1);
    else if (start === 0 || page.rows.length > 0) {
      return { count: start + page.rows.length, isExact: true };
    } else atMost = Math.min(atMost, start);
  }
  const exact = first.total ?? (counted?.isExact ? counted.count : undefined);
  // An inexact count means "more than this", so there is at least one more row.
  const known = exact ?? (counted ? counted.count + 1 : atLeast);
  const count = Math.max(atLeast, Math.min(atMost, known));
  return { count, isExact: exact !== undefined };
}
