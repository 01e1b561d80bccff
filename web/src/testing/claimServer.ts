import { HttpResponse, http } from 'msw';
import type { Schemas } from '../api/client';
import { detailsOf, pending } from './sampleData';
import { movesFrom } from './sampleMoves';
import { refusal, server } from './server';
import { totalsOf } from './totals';

type Claim = Schemas['Claim'];

export const claimOf = (number: number, status: Claim['status'] = 'Pending'): Claim => ({
  ...pending,
  _id: `c${number}`,
  number: `C-${10_000 + number}`,
  user: { _id: `u${number}`, username: `Client ${number}`, mobile: '9878216267' },
  status,
  version: 0,
  moves: movesFrom[status],
});

type Step = Schemas['ClaimDetails']['timeline'][number];
const elsewhere = { at: '2026-11-15T02:52:00Z', reason: null, reference: null };
/** The admin who is signed in, on the default server of all tests. */
const me = 'asha';

interface Put {
  id: string;
  key: string | null;
  body: Schemas['ClaimStatusChange'];
}

/** A server that moves claims as the real one does, and stores its responses by idempotency key. */
export function serverMoves(claims: Claim[]) {
  const state = {
    claims,
    puts: [] as Put[],
    /** How many of the next responses get lost. */
    loses: 0,
    refuse: (_put: Put): Response | undefined => undefined,
    needsReference: false,
    /** Moves a claim without this browser knowing: by another admin, or by this one in another window. */
    moveElsewhere: (id: string, status: Claim['status'], by = 'ravi') => {
      state.claims = state.claims.map((claim) => {
        if (claim._id !== id) return claim;
        const version = claim.version + 1;
        steps.set(`${id} ${version}`, {
          ...elsewhere,
          number: version,
          from: claim.status,
          to: status,
          by,
        });
        return { ...claim, status, version, moves: movesFrom[status] };
      });
    },
  };
  const steps = new Map<string, Step>();
  const answers = new Map<string, Claim>();
  const find = (id: unknown) => state.claims.find((claim) => claim._id === id);
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      const status = new URL(request.url).searchParams.get('status');
      return HttpResponse.json(state.claims.filter((claim) => !status || claim.status === status));
    }),
    http.get('*/api/claims/totals', () => HttpResponse.json(totalsOf(state.claims))),
    http.get('*/api/policy', () =>
      HttpResponse.json({
        paidNeedsReference: state.needsReference,
        twoPersons: false,
        secondLookAbove: null,
        changes: [],
      }),
    ),
    http.get('*/api/claims/:id/details', ({ params }) => {
      const claim = find(params.id);
      if (!claim) return refusal(404, 'claim_not_found', 'No.');
      const details = detailsOf(claim);
      const step = steps.get(`${claim._id} ${claim.version}`);
      return HttpResponse.json(step ? { ...details, timeline: [step] } : details);
    }),
    http.get('*/api/claims/:id', ({ params }) => HttpResponse.json(find(params.id))),
    http.put('*/api/claims/:id/status', async ({ request, params }) => {
      const id = String(params.id);
      const key = request.headers.get('Idempotency-Key');
      const put = { id, key, body: (await request.json()) as Put['body'] };
      state.puts.push(put);
      const claim = find(id);
      const refused = state.refuse(put);
      if (refused) return refused;
      let answer = answers.get(key ?? '');
      if (!answer) {
        const step = claim && steps.get(`${id} ${claim.version}`);
        const isRepeat = step?.by === me && step.to === put.body.status;
        if (claim && isRepeat && step.number - 1 === put.body.version) {
          return HttpResponse.json(claim, { headers: { 'Already-Moved-At': step.at } });
        }
        if (!claim || claim.version !== put.body.version) {
          const fields = { status: claim?.status ?? '', by: 'ravi', at: '2026-11-15T02:52:00Z' };
          return refusal(409, 'claim_cannot_move', 'Moved by another.', fields);
        }
        const { status } = put.body;
        answer = { ...claim, status, version: claim.version + 1, moves: movesFrom[status] };
        answers.set(key ?? '', answer);
        const moved = answer;
        state.claims = state.claims.map((one) => (one._id === id ? moved : one));
      }
      if (state.loses-- > 0) return HttpResponse.error();
      return HttpResponse.json(answer);
    }),
  );
  return state;
}
