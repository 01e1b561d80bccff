import { QueryClient, type QueryFilters } from '@tanstack/react-query';
import { isBusy, isOutcomeUnknown } from './errors';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A 4xx response is not retried; a lost response or a 5xx is retried once, and a busy server three times.
        retry: (failures, error) => failures < (isBusy(error) ? 3 : 1) && isOutcomeUnknown(error),
        retryDelay: (failures, error) => (isBusy(error) ? 2000 * (failures + 1) : 800),
        staleTime: 30_000,
        // Otherwise a query that starts offline would pause silently instead of failing with an error message.
        networkMode: 'always',
        // A deep comparison of 100,000 rows costs more than rendering the thirty in view.
        structuralSharing: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** A first read that is in progress is not cancelled, but may be outdated too: it is repeated when it is complete. */
export async function refetchOutdated(client: QueryClient, filters: QueryFilters) {
  const begun = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await client.invalidateQueries(filters);
  const again = begun.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true }));
  await Promise.all(again);
}
