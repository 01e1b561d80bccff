import type { Query, QueryClient } from '@tanstack/react-query';
import { rowsKey } from '../../api/pages';

const pauseMilliseconds = 1_000;

interface Totals {
  count: number;
  isExact: boolean;
  byStatus?: readonly { count: number; isExact: boolean }[];
}

/** Refetches the counts, at most once a second. A list that has grown also checks for rows above its first one. */
export function createTotalsUpdates(client: QueryClient) {
  const sizes = new Map<string, number>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const isTotals = ({ queryKey }: Query) => queryKey[1] === 'totals';
  // The size of each list when it was first counted, which is when its rows were read.
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    const size = type === 'updated' && isTotals(query) ? sizeOf(query.state.data) : undefined;
    if (size !== undefined && !sizes.has(query.queryHash)) sizes.set(query.queryHash, size);
  });

  const hasGrown = (noun: string) => {
    let isLonger = false;
    for (const query of client.getQueryCache().findAll({ queryKey: [noun, 'totals'] })) {
      const size = sizeOf(query.state.data);
      if (size === undefined) continue;
      const before = sizes.get(query.queryHash);
      sizes.set(query.queryHash, size);
      if (query.isActive() && before !== undefined && size > before) isLonger = true;
    }
    return isLonger;
  };

  const count = async (noun: string) => {
    const queryKey = rowsKey(noun);
    // A page that was scrolled away is refetched when it is back in view.
    void client.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
    await client.invalidateQueries({ queryKey: [noun, 'totals'] });
    if (!hasGrown(noun)) return;
    const isFirst = (query: Query) => query.queryKey.at(-1) === 0;
    await client.invalidateQueries({ queryKey, predicate: isFirst });
  };

  const refresh = () => {
    if (pause !== undefined) {
      isDue = true;
      return;
    }
    isDue = false;
    // Waits for all counts, so that a slow server is not asked faster than it answers.
    const lists = client.getQueryCache().findAll({ predicate: isTotals });
    const nouns = new Set(lists.map(({ queryKey }) => String(queryKey[0])));
    const counted = Promise.all([...nouns].map(count));
    pause = setTimeout(async () => {
      await counted;
      pause = undefined;
      if (isDue) refresh();
    }, pauseMilliseconds);
  };

  for (const query of client.getQueryCache().findAll({ predicate: isTotals })) {
    const size = sizeOf(query.state.data);
    if (size !== undefined) sizes.set(query.queryHash, size);
  }

  return {
    refresh,
    stop: () => {
      unsubscribe();
      clearTimeout(pause);
      isDue = false;
    },
  };
}

/** The size of the list over all statuses, because a move does not change it. */
function sizeOf(data: unknown): number | undefined {
  const totals = data as Totals | undefined;
  if (totals?.count === undefined) return undefined;
  const parts = totals.byStatus ?? [totals];
  return parts.every(({ isExact }) => isExact)
    ? parts.reduce((sum, part) => sum + part.count, 0)
    : undefined;
}
