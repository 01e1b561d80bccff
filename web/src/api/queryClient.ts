import { QueryClient } from '@tanstack/react-query';
import { isBusy, isOutcomeUnknown } from './errors';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal stays a refusal; a lost answer is worth one retry, and a busy server a few.
        retry: (failures, error) => failures < (isBusy(error) ? 3 : 1) && isOutcomeUnknown(error),
        retryDelay: (failures, error) => (isBusy(error) ? 2000 * (failures + 1) : 800),
        staleTime: 30_000,
        // Without it a query started offline waits in silence instead of failing in words.
        networkMode: 'always',
        // Comparing 100,000 rows deeply costs more than drawing the thirty in view.
        structuralSharing: false,
      },
    },
  });
}
