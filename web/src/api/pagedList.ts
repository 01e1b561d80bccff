import {
  type QueryClient,
  type UseQueryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sentenceOf } from './errors';
import {
  type HeldRows,
  holdRows,
  isAwaited,
  type ListQuery,
  type ListSource,
  type Page,
  pageOf,
  pageOptions,
  pageSize,
  rowsKey,
  type WithId,
  watchRow,
  withoutFields,
} from './pages';
import { countFrom, pagesFor, prefetchedRows, trimPages } from './pageWindow';
import { isHeldUp, restartQueries } from './queryClient';
import { useTotals } from './totals';

/** During fast scrolling, the pages in view are requested at most once per interval; pages passed over are not. */
const stepMilliseconds = 120;

/** A list of any length in the shape that a table needs, and the totals of all its rows. */
export function useCountedList<Row extends WithId, Totals extends Count>(
  source: ListSource<Row, Totals>,
  query: ListQuery,
) {
  const { totals, counting } = useTotals(source, query);
  const list = usePagedList(source, query, counting.isOutdated ? undefined : totals);
  return { list, totals, counting };
}

interface Count {
  count: number;
  isExact: boolean;
}

/** Reads only the pages near the view. `counted` is the count from the totals, for pages that come without one. */
function usePagedList<Row extends WithId>(
  source: ListSource<Row>,
  query: ListQuery,
  counted: Count | undefined,
) {
  const client = useQueryClient();
  const queryName = JSON.stringify(query);
  const listName = JSON.stringify(withoutFields(query));
  const [view, setView] = useState({ listName, pages: [0], generation: 0 });
  const pages = view.listName === listName ? view.pages : [0];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changeLater = useRef(() => {});
  // A page waits for the previous one: its cursor costs the server less than a skip.
  const canRead = (page: number) =>
    page === 0 ||
    (pageOf(client, source, query, 0) !== undefined &&
      (!pages.includes(page - 1) || !isAwaited(client, source.noun, query, page - 1)));
  const results = useQueries({
    queries: pages.map((page) => ({
      ...pageOptions(client, source, query, page),
      enabled: canRead(page),
    })),
  });

  useRemoveOldPages(client, source.noun, query, queryName);
  useEffect(() => trimPages(client, source.noun, pages), [client, source.noun, pages]);

  const show = useCallback(
    (start: number, end: number, kept: number) => {
      const present: ListQuery = JSON.parse(queryName);
      const isLoaded = (page: number) => pageOf(client, source, present, page) !== undefined;
      const inView = pagesFor(start, end, kept);
      // Prefetch only after the pages in view have loaded and, at the top of the list, only after the admin scrolls.
      const isReadingOn = start > 0 && inView.every(isLoaded);
      const wanted = isReadingOn ? pagesFor(start, end, kept, prefetchedRows) : inView;
      const change = () =>
        setView((now) =>
          now.listName === listName && String(now.pages) === String(wanted)
            ? now
            : { ...now, listName, pages: wanted },
        );
      changeLater.current = change;
      if (wanted.every((page) => isLoaded(page) || isLoaded(page - 1))) {
        clearTimeout(timer.current);
        timer.current = undefined;
        return change();
      }
      // The timer is not restarted on each event: during continuous scrolling no row would ever load.
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        changeLater.current();
      }, stepMilliseconds);
    },
    [client, source, queryName, listName],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  const first = results[0]?.data;
  const resultAt = (index: number) => results[pages.indexOf(Math.floor(index / pageSize))];

  const showNew = () => {
    const fresh = first?.fresh;
    if (!fresh) return;
    const { queryKey } = pageOptions(client, source, query, 0);
    client.removeQueries({
      queryKey: rowsKey(source.noun, query),
      predicate: (other) => other.queryKey.at(-1) !== 0,
    });
    client.setQueryData<Page<Row>>(queryKey, { ...fresh, anchor: {}, newAbove: 0, fresh: null });
    setView((now) => ({ listName, pages: [0], generation: now.generation + 1 }));
    void client.invalidateQueries({ queryKey: [source.noun, 'totals'] });
  };

  const failed = results.find((result) => result.error && (result.data || result === results[0]));
  const counts = first && countFrom(client, source.noun, query, first, counted);
  const list = {
    key: `${view.generation} ${listName}`,
    count: counts?.count,
    isCountExact: counts?.isExact ?? false,
    rowAt: (index: number): Row | undefined => {
      const page = Math.floor(index / pageSize);
      // The page of the focused row may be out of view.
      const data = resultAt(index)?.data ?? pageOf(client, source, query, page);
      return data?.rows[index - page * pageSize];
    },
    failureAt: (index: number) => {
      const result = resultAt(index);
      return result?.error && !result.data ? sentenceOf(result.error) : undefined;
    },
    retryAt: (index: number) => void resultAt(index)?.refetch(),
    show,
    failure: failed?.error ? sentenceOf(failed.error) : undefined,
    isLoading: results.some((result) => result.isFetching),
    isHeldUp: results.some(isHeldUp),
    reload: () => void restartQueries(client, rowsKey(source.noun)),
    watch: (row: Row, read: () => Promise<Row | undefined>, onChange: (changed: Row) => void) =>
      watchRow(client, source.noun, row, read, onChange),
    hold: (one: HeldRows<Row>) => holdRows(source.noun, one),
    newAbove: first?.newAbove ?? 0,
    showNew,
    isOutdated: false,
  };
  return useOutdated(list);
}

/** Removes the cached pages of the previous search or filter, whose rows may no longer match when it is used again. */
function useRemoveOldPages(client: QueryClient, noun: string, query: ListQuery, queryName: string) {
  const left = useRef(query);
  left.current = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: queryName represents the query
  useEffect(() => {
    const queryKey = rowsKey(noun, left.current);
    // After a timeout, when these pages have no observers left.
    return () => void setTimeout(() => client.removeQueries({ queryKey, type: 'inactive' }));
  }, [client, noun, queryName]);
}

type Shown = {
  count: number | undefined;
  failure: string | undefined;
  isHeldUp: boolean;
  isOutdated: boolean;
  show: (start: number, end: number, kept: number) => void;
};

/** While a new search loads its first page, the previous rows stay visible but read-only. */
function useOutdated<List extends Shown>(list: List): List {
  const last = useRef<List | null>(null);
  const isWaiting = list.count === undefined && list.failure === undefined;
  useEffect(() => {
    if (!isWaiting) last.current = list;
  });
  if (!isWaiting || !last.current || last.current.count === undefined) return list;
  return { ...last.current, isHeldUp: list.isHeldUp, show: nowhere, isOutdated: true };
}

const nowhere = () => undefined;

/** Reads what a screen shows. `LoadTrouble` says what is wrong with it. */
export function useReading<Data, Key extends readonly unknown[]>(
  options: UseQueryOptions<Data, Error, Data, Key>,
) {
  const client = useQueryClient();
  const query = useQuery(options);
  return {
    data: query.data,
    dataUpdatedAt: query.dataUpdatedAt,
    error: query.error,
    failure: query.error ? sentenceOf(query.error) : undefined,
    isLoading: query.isFetching,
    isHeldUp: isHeldUp(query),
    reload: () => void restartQueries(client, options.queryKey),
  };
}

/** Fetches a list and returns it in the shape that a table needs. */
export function useList<Row, Key extends readonly unknown[]>(
  options: UseQueryOptions<Row[], Error, Row[], Key>,
) {
  const { data: rows, ...reading } = useReading(options);
  return { rows, ...reading };
}
