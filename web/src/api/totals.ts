import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFirstReadsDue } from './live';
import { filtersOf, isAwaited, type ListQuery, type ListSource } from './pages';

/** The count and sums of the matching rows. Fetched after the rows, which never wait for them. */
export function useTotals<Totals extends { isExact: boolean }>(
  source: Pick<ListSource<never, Totals>, 'noun' | 'readTotals'>,
  query: ListQuery,
) {
  const client = useQueryClient();
  const isDue = useFirstReadsDue() && !isAwaited(client, source.noun, query, 0);
  const filters = filtersOf(query);
  const name = JSON.stringify(filters);
  const [countedToTheEnd, setCountedToTheEnd] = useState<string | null>(null);
  const options = (isExact: boolean) =>
    queryOptions({
      queryKey: [source.noun, 'totals', filters, isExact],
      queryFn: ({ signal }) =>
        source.readTotals(isExact ? { ...filters, exact: 'true' } : filters, signal),
      placeholderData: keepPreviousData,
    });
  const quick = useQuery({ ...options(false), enabled: isDue });
  const isAsked = countedToTheEnd === name;
  const whole = useQuery({ ...options(true), enabled: isAsked });
  const isWhole = isAsked && whole.data !== undefined && !whole.isPlaceholderData;
  return {
    totals: isWhole ? whole.data : quick.data,
    counting: {
      /** The totals still belong to the previous search or filter. */
      isOutdated: !isWhole && quick.isPlaceholderData,
      isCounting: isAsked && whole.isFetching,
      hasFailed: quick.isError || (isAsked && whole.isError),
      onCountAll: () => {
        setCountedToTheEnd(name);
        if (isAsked) void whole.refetch();
      },
      onRetry: () => void quick.refetch(),
    },
  };
}
