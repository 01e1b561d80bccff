import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import {
  account,
  claims,
  detailsOf,
  me,
  ownSessions,
  purchases,
  qrCodes,
  users,
} from './sampleData';
import { totalsOf } from './totals';

/** With an id before it, as after a resume: a first `hello` would make the screen read everything a second time. */
const hello = new TextEncoder().encode(
  'id: 1\n\nevent: hello\ndata: {"after":1,"openClaims":[]}\n\n',
);

/** A server on which every request succeeds; each test replaces the request it is about. */
export const server = setupServer(
  http.post('*/api/admin/login', () => HttpResponse.json({ token: 'fresh', ...me })),
  http.get('*/api/admin/me', () => HttpResponse.json(me)),
  http.get('*/api/version', () => HttpResponse.json({ version: '1.2.3' })),
  http.post('*/api/admin/logout', () => new HttpResponse(null, { status: 204 })),
  http.get('*/api/purchases/all', () => HttpResponse.json(purchases)),
  http.get('*/api/purchases/totals', ({ request }) =>
    HttpResponse.json(
      new URL(request.url).searchParams.has('review')
        ? { count: 0, invest: 0, dailyIncome: 0, isExact: true }
        : { count: 1, invest: 100000, dailyIncome: 1500.5, isExact: true },
    ),
  ),
  http.get('*/api/purchases/:id/details', ({ params }) =>
    HttpResponse.json({
      purchase: purchases.find(({ _id }) => _id === params.id) ?? purchases[0],
      ...{ externalId: null, proof: null, related: [] },
    }),
  ),
  http.get('*/api/purchases/choices', () =>
    HttpResponse.json({ claimType: ['Daily', 'Weekly'], qrName: ['Front desk'] }),
  ),
  http.get('*/api/claims/all', () => HttpResponse.json(claims)),
  http.get('*/api/claims/totals', ({ request }) =>
    HttpResponse.json(totalsOf(claims, new URL(request.url).searchParams.get('status'))),
  ),
  http.get('*/api/policy', () =>
    HttpResponse.json({
      paidNeedsReference: false,
      twoPersons: false,
      secondLookAbove: null,
      newPayeeNeedsSecondAdmin: true,
      secondFactorRequired: false,
      stepUpAbove: null,
      changes: [],
    }),
  ),
  http.get('*/api/banks', () =>
    HttpResponse.json({
      dataVersion: '2.0.50',
      codes: 176918,
      banks: 257,
      fetchedOn: '2026-11-15',
    }),
  ),
  http.get('*/api/claims/:id/details', ({ params }) => {
    const claim = claims.find(({ _id }) => _id === params.id);
    return claim
      ? HttpResponse.json(detailsOf(claim))
      : refusal(404, 'claim_not_found', 'There is no such claim.');
  }),
  http.get('*/api/claims/:id', ({ params }) => {
    const claim = claims.find(({ _id }) => _id === params.id);
    return claim
      ? HttpResponse.json(claim)
      : refusal(404, 'claim_not_found', 'There is no such claim.');
  }),
  // A stream that stays open after its first event. Without that event, every screen would wait a second for it.
  http.get(
    '*/api/live',
    () => new HttpResponse(new ReadableStream({ start: (line) => line.enqueue(hello) })),
  ),
  http.put('*/api/live/open', () => new HttpResponse(null, { status: 204 })),
  http.get('*/api/batches', () => HttpResponse.json([])),
  http.get('*/api/exports', () => HttpResponse.json([])),
  http.get('*/api/qr', () => HttpResponse.json(qrCodes)),
  http.post('*/api/qr/read', () =>
    HttpResponse.json({
      payee: 'till@okaxis',
      payeeName: 'Acme Traders',
      amount: null,
      sentence: 'This code pays till@okaxis, Acme Traders.',
      findings: [],
      follows: '',
      upiId: 'till@okaxis',
    }),
  ),
  http.get('*/api/admin/account', () => HttpResponse.json(account)),
  http.get('*/api/admin/account/sessions', () => HttpResponse.json(ownSessions)),
  http.get('*/api/admin/account/activity', () => HttpResponse.json([])),
  http.get('*/api/keys', () => HttpResponse.json([])),
  http.get('*/api/imports', () => HttpResponse.json([])),
  http.get('*/api/webhooks', () => HttpResponse.json([])),
  http.get('*/api/audit', () => HttpResponse.json([])),
  http.get('*/api/users', () => HttpResponse.json(users)),
  http.get('*/api/users/totals', () => HttpResponse.json({ count: 2, isExact: true })),
);

export function refusal(
  status: number,
  code: string,
  message: string,
  fields?: Record<string, string>,
) {
  return HttpResponse.json({ code, message, ...(fields && { fields }) }, { status });
}

/**
 * This read is refused until the returned function is called. Not only once: a live connection that is established
 * after the refusal repeats what failed, and Retry would be gone before a test presses it.
 */
export function refuseUntilRecovered(path: string, message: string): () => void {
  let isRefused = true;
  server.use(http.get(path, () => (isRefused ? refusal(403, 'forbidden', message) : undefined)));
  return () => {
    isRefused = false;
  };
}
