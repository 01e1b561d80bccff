import { QueryClient } from '@tanstack/react-query';
import { isOutcomeUnknown } from './errors';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal stays a refusal; only a lost answer is worth asking for again.
        retry: (failures, error) => failures < 1 && isOutcomeUnknown(error),
        retryDelay: 800,
        staleTime: 30_000,
        // Without it a query started offline waits in silence instead of failing in words.
        networkMode: 'always',
        // Comparing 100,000 rows deeply costs more than drawing the thirty in view.
        structuralSharing: false,
      },
    },
  });
}
