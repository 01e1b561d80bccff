import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

/** What a batch would do, and later what it did. */
export type Sheet = Schemas['Sheet'];
export type Outcome = Schemas['BatchOutcome'];
export type UnfinishedBatch = Schemas['UnfinishedBatch'];
/** Which claims, the target status and the reason. */
export type Plan = Partial<Schemas['BatchRequest']>;
export type Target = NonNullable<Plan['status']>;

/** A request without a response counts as lost after this time. Each request runs a batch for about a second. */
const patienceMilliseconds = 20_000;

export const planBatch = (plan: Plan) =>
  dataOf<Sheet>(api.POST('/api/batches', { body: { except: [], ...plan } }));

const at = (id: string) => ({ params: { path: { batch_id: id } } });

export const readBatch = (id: string) =>
  dataOf<Sheet>(api.GET('/api/batches/{batch_id}', { ...at(id) }));

/** Continues the batch for a moment. However often it is called, each claim moves once. */
export const runBatch = (id: string) =>
  dataOf<Schemas['BatchProgress']>(
    api.POST('/api/batches/{batch_id}/run', {
      ...at(id),
      signal: AbortSignal.timeout(patienceMilliseconds),
    }),
  );

/**
 * Ends the batch: moved claims stay moved, the rest stay as they are. However often it is called, the batch ends
 * once.
 */
export const requestLeave = (id: string) =>
  dataOf<Schemas['BatchProgress']>(api.POST('/api/batches/{batch_id}/leave', at(id)));

const pollMilliseconds = 4_000;

/** The batches of this admin that are confirmed and not ended. Polled while there is one, because it may be running. */
export const unfinishedOptions = queryOptions({
  queryKey: ['batches', 'unfinished'],
  queryFn: ({ signal }) => dataOf<UnfinishedBatch[]>(api.GET('/api/batches', { signal })),
  refetchInterval: ({ state }) => (state.data?.length ? pollMilliseconds : false),
});
