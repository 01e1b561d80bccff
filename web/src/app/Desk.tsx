import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { onSessionChange } from '../api/session';
import { App } from './App';
import { BrokenScreen } from './BrokenScreen';

/** The app with its providers. The query cache is cleared with the session: no admin sees the data of another. */
export function Desk({ queryClient }: { queryClient: QueryClient }) {
  useEffect(() => onSessionChange(() => queryClient.clear()), [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      <BrokenScreen>
        <Suspense>
          <App />
        </Suspense>
      </BrokenScreen>
    </QueryClientProvider>
  );
}
