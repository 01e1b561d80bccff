import { answerOf, api, dataOf, getFiltered, type Schemas } from '../../api/client';
import { nextCursorOf } from '../../api/pages';
import {
  type Delivery,
  type Endpoint,
  type EndpointSecret,
  type EndpointWish,
  webhooksOptions,
} from '../../entities/webhook/webhook';

const at = (endpoint_id: string) => ({ params: { path: { endpoint_id } } });

/** The response is the only one that contains the secret. */
export const addWebhook = ({ url, events }: EndpointWish) =>
  dataOf<EndpointSecret>(api.POST('/api/webhooks', { body: { url, events } }));

/** Refused if it is no longer as it was seen. */
export const changeWebhook = ({ _id, url, events, isEnabled }: Endpoint, wish: EndpointWish) =>
  dataOf<Endpoint>(
    api.PUT('/api/webhooks/{endpoint_id}', {
      ...at(_id),
      body: { ...wish, before: { url, events, isEnabled } },
    }),
  );

export const removeWebhook = (id: string) =>
  dataOf(api.DELETE('/api/webhooks/{endpoint_id}', at(id)));

export const rotateSecret = (id: string, endPrevious: boolean) =>
  dataOf<EndpointSecret>(
    api.POST('/api/webhooks/{endpoint_id}/secret', {
      params: { path: { endpoint_id: id }, query: { endPrevious } },
    }),
  );

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
