import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { onSessionChange } from '../api/session';
import { App } from './App';
import { BrokenScreen } from './BrokenScreen';

/** The app with what it stands on. What one admin has read is never shown to the next. */
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
