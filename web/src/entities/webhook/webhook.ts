import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answerOf, api, dataOf, getFiltered, type Schemas } from '../../api/client';
import { useFirstReadsDue } from '../../api/live';
import { nextCursorOf } from '../../api/pages';

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

const at = (endpoint_id: string) => ({ params: { path: { endpoint_id } } });

/** The response is the only one that contains the secret. */
export const addWebhook = ({ url, events }: EndpointWish) =>
  dataOf<EndpointSecret>(api.POST('/api/webhooks', { body: { url, events } }));

export const changeWebhook = (id: string, wish: EndpointWish) =>
  dataOf<Endpoint>(api.PUT('/api/webhooks/{endpoint_id}', { ...at(id), body: wish }));

export const removeWebhook = (id: string) =>
  dataOf(api.DELETE('/api/webhooks/{endpoint_id}', at(id)));

export const rotateSecret = (id: string) =>
  dataOf<EndpointSecret>(api.POST('/api/webhooks/{endpoint_id}/secret', at(id)));

export const sendTest = (id: string) =>
  dataOf<Delivery>(api.POST('/api/webhooks/{endpoint_id}/test', at(id)));

export const resendSince = (id: string, since: string) =>
  dataOf<Schemas['Resent']>(
    api.POST('/api/webhooks/{endpoint_id}/resend', { ...at(id), body: { since } }),
  );

export const resendDelivery = (delivery_id: string) =>
  dataOf<Delivery>(
    api.POST('/api/webhooks/deliveries/{delivery_id}/resend', {
      params: { path: { delivery_id } },
    }),
  );

export interface DeliveryPage {
  rows: readonly Delivery[];
  next: string | null;
}

const pageLength = 30;

/** The key extends that of the endpoints: a change of a webhook reads its log again too. */
export const deliveriesKey = (endpoint: string) => [...webhooksOptions.queryKey, 'log', endpoint];

export async function readDeliveries(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const { data, response } = await answerOf(
    getFiltered('/api/webhooks/deliveries', { ...query, limit: pageLength }, signal),
  );
  return { rows: data, next: nextCursorOf(response.headers.get('Link')) };
}
