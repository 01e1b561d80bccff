import { QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';
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

/**
 * A first read that is in progress is not cancelled, but may be outdated too: it is repeated when it is complete. A busy
 * server, which has refused all attempts, is not asked again.
 */
export async function refetchOutdated(client: QueryClient, filters: QueryFilters) {
  const begun = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await client.invalidateQueries(filters);
  const again = begun
    .filter(({ state }) => !isBusy(state.error))
    .map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true }));
  await Promise.all(again);
}

/** Requests the active queries now, also those that wait for their next attempt. */
export async function restartQueries(client: QueryClient, queryKey: QueryKey) {
  await client.cancelQueries({ queryKey });
  await client.refetchQueries({ queryKey, type: 'active' });
}

interface Waiting {
  isFetching: boolean;
  isPlaceholderData: boolean;
  data: unknown;
  failureReason: Error | null;
}

/** Whether a busy server has refused data that the screen waits for. It is requested again. */
export const isHeldUp = (query: Waiting) =>
  query.isFetching && (!query.data || query.isPlaceholderData) && isBusy(query.failureReason);
