import { HttpResponse, http } from 'msw';
import type { Delivery, Endpoint } from '../entities/webhook/webhook';
import { server } from './server';

export const at = '2026-09-21T10:12:00Z';
export const shop: Endpoint = {
  _id: 'w1',
  createdAt: at,
  url: 'https://shop.example.in/hooks',
  events: ['claim.paid', 'claim.returned'],
  isEnabled: true,
  disabledAt: null,
  disabledWhy: null,
  failingSince: null,
  pausedUntil: null,
  previousSecretUntil: null,
  waiting: 0,
  lastDelivery: { at, type: 'claim.paid', state: 'delivered', status: 204 },
};
export const failing: Endpoint = { ...shop, failingSince: at, waiting: 3 };
export const secret = `whsec_${'a'.repeat(43)}=`;
export const delivery: Delivery = {
  _id: 'd1',
  createdAt: at,
  endpoint: 'w1',
  eventId: 'msg_1',
  type: 'claim.paid',
  subject: 'c1',
  body: '{}',
  state: 'failed',
  attempts: 10,
  dueAt: null,
  lastAttemptAt: at,
  lastStatus: 503,
  lastExcerpt: 'Service Unavailable',
  lastError: null,
};

/** Records every change as `METHOD path` and its body. */
export function serverHas(...endpoints: Endpoint[]) {
  const calls: [string, unknown][] = [];
  const taken =
    (answer: () => Response) =>
    async ({ request }: { request: Request }) => {
      const text = await request.text();
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace('/api/webhooks', '') + search;
      calls.push([`${request.method} ${path}`, text && JSON.parse(text)]);
      return answer();
    };
  const made = () => HttpResponse.json({ endpoint: shop, secret }, { status: 201 });
  server.use(
    http.get('*/api/webhooks', () => HttpResponse.json(endpoints)),
    http.post('*/api/webhooks', taken(made)),
    http.put(
      '*/api/webhooks/:id',
      taken(() => HttpResponse.json(shop)),
    ),
    http.delete(
      '*/api/webhooks/:id',
      taken(() => new HttpResponse(null, { status: 204 })),
    ),
    http.post('*/api/webhooks/:id/secret', taken(made)),
    http.post(
      '*/api/webhooks/:id/test',
      taken(() => HttpResponse.json(delivery)),
    ),
    http.post(
      '*/api/webhooks/:id/resend',
      taken(() => HttpResponse.json({ resent: 12 })),
    ),
    http.post(
      '*/api/webhooks/deliveries/:id/resend',
      taken(() => HttpResponse.json(delivery)),
    ),
  );
  return calls;
}

export function serverLogs(...deliveries: Delivery[]) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/webhooks/deliveries', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const next = '</api/webhooks/deliveries?cursor=older>; rel="next"';
      return searchParams.has('cursor')
        ? HttpResponse.json([{ ...delivery, _id: 'd0', type: 'qr.hidden', subject: 'q1' }])
        : HttpResponse.json(deliveries, { headers: { Link: next } });
    }),
  );
  return asked;
}
