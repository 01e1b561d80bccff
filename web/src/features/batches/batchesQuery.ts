import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

/** What a batch would do, and later what it did. */
export type Sheet = Schemas['Sheet'];
export type Outcome = Schemas['BatchOutcome'];
export type UnfinishedBatch = Schemas['UnfinishedBatch'];
/** Which claims, where to and why. */
export type Plan = Partial<Schemas['BatchRequest']>;
export type Target = NonNullable<Plan['status']>;

/** After so long without an answer it counts as lost. A batch works for about a second at a time. */
const patienceMilliseconds = 20_000;

export const planBatch = (plan: Plan) =>
  dataOf<Sheet>(api.POST('/api/batches', { body: { except: [], ...plan } }));

const at = (id: string) => ({ params: { path: { batch_id: id } } });

export const readBatch = (id: string) =>
  dataOf<Sheet>(api.GET('/api/batches/{batch_id}', { ...at(id) }));

/** Goes on with it for a moment. Any number of calls move each claim once. */
export const runBatch = (id: string) =>
  dataOf<Schemas['BatchProgress']>(
    api.POST('/api/batches/{batch_id}/run', {
      ...at(id),
      signal: AbortSignal.timeout(patienceMilliseconds),
    }),
  );

/** Ends it where it is: what has moved stays moved, the rest stays as it is. Any number of calls end it once. */
export const leaveHalfDone = (id: string) =>
  dataOf<Schemas['BatchProgress']>(api.POST('/api/batches/{batch_id}/leave', at(id)));

const lookAgainMilliseconds = 4_000;

/** Of this admin: confirmed, and not at their end. Looked at again while there is one, for it may be moving. */
export const unfinishedOptions = queryOptions({
  queryKey: ['batches', 'unfinished'],
  queryFn: ({ signal }) => dataOf<UnfinishedBatch[]>(api.GET('/api/batches', { signal })),
  refetchInterval: ({ state }) => (state.data?.length ? lookAgainMilliseconds : false),
});
