import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { claimTasks } from '../entities/claim/claimTasks';

const restMilliseconds = 1_000;

/** Shows what other admins do, live. Loaded after the screen's first requests have finished. */
export function Live() {
  const client = useQueryClient();
  const [LiveUpdates, setLiveDesk] = useState<ComponentType<{ isBusy: (id: string) => boolean }>>();
  useEffect(() => {
    const timer = setInterval(async () => {
      if (client.isFetching() > 0) return;
      const loaded = await import('../features/live/LiveUpdates').catch(() => undefined);
      if (!loaded) return;
      clearInterval(timer);
      setLiveDesk(() => loaded.default);
    }, restMilliseconds);
    return () => clearInterval(timer);
  }, [client]);
  return LiveUpdates && <LiveUpdates isBusy={claimTasks.isBusy} />;
}
