import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useFirstReadsDue } from '../../api/live';

export type Endpoint = Schemas['Endpoint'];
export type EventType = Endpoint['events'][number];
export type Delivery = Schemas['Delivery'];
export type EndpointSecret = Schemas['EndpointSecret'];
export type EndpointWish = Schemas['EndpointChange'];

/** The sender writes no audit row for an attempt, so what it has done since is read again at this interval. */
const refreshMilliseconds = 60_000;
/** A screen is complete without it, so it waits until everything else has been read. */
const firstReadMilliseconds = 10_000;

export const webhooksOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => dataOf<Endpoint[]>(api.GET('/api/webhooks', { signal })),
});

export const isFailing = ({ failingSince }: Endpoint) => failingSince !== null;

/** A sentence about the endpoints that need attention, for any screen; empty if there are none. */
export function useFailingWebhooks(mayRead: boolean): string {
  const isConnected = useFirstReadsDue();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isConnected) return;
    const timer = setTimeout(() => setDue(true), firstReadMilliseconds);
    return () => clearTimeout(timer);
  }, [isConnected]);
  const { data } = useQuery({
    ...webhooksOptions,
    enabled: isDue && mayRead,
    refetchInterval: refreshMilliseconds,
  });
  const failing = data?.filter(isFailing).length ?? 0;
  if (failing === 0) return '';
  return failing === 1 ? 'A webhook is failing.' : `${failing} webhooks are failing.`;
}
