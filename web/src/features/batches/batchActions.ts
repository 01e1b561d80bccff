import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { rowsKey } from '../../api/pages';
import { claimDetailsKey, claimList } from '../../entities/claim/claim';
import { undoables } from '../../entities/claim/undoable';
import { clientsKey } from '../../entities/client/client';
import { askForSheet, planBatch } from './batchPlans';
import {
  type BatchJob,
  batchStore,
  type Confirmation,
  type Draft,
  type Plan,
  type Sheet,
  type Target,
  type UnfinishedBatch,
} from './batchStore';

export function confirmBatch(
  client: QueryClient,
  { plan, sort, onStarted }: Draft,
  sheet: Sheet,
  confirmation: Confirmation,
): void {
  const count = sheet.count - confirmation.without.length;
  start(client, { ...jobOf({ ...sheet, count }), plan, sort, confirmation });
  batchStore.show(sheet._id);
  batchStore.setDraft(null);
  onStarted();
}

/** Requests a new sheet: for the claims that did not move, or for all if the old sheet has expired. */
export function planAgain(job: BatchJob, plan: Plan = { retryOf: job.id }): void {
  const { id, target, sort, confirmation } = job;
  batchStore.dismiss(id);
  const entered = confirmation?.references;
  void askForSheet({ plan, target, sort, entered, onStarted: () => undefined });
}

export function resumeBatch(client: QueryClient, batch: UnfinishedBatch | BatchJob): void {
  start(client, 'id' in batch ? { ...batch, phase: 'running', trouble: undefined } : jobOf(batch));
}

/** Asks first, because the batch will not continue after that. */
export const askToLeave = (batch: UnfinishedBatch | BatchJob) =>
  batchStore.setLeaving('id' in batch ? batch : jobOf(batch));

/** Throws if the request fails. The result is shown as at the end of any batch. */
export async function leaveBatch(client: QueryClient, job: BatchJob): Promise<void> {
  const { outcome, canUndo } = await requestLeave(job.id);
  batchStore.add({ ...job, outcome, canUndo, phase: 'stopped', trouble: undefined });
  await end(client, job.id);
  batchStore.setLeaving(null);
}

const jobOf = ({ _id, status, count, outcome }: UnfinishedBatch): BatchJob => ({
  id: _id,
  target: status as Target,
  count,
  outcome,
  phase: 'running',
});

function start(client: QueryClient, job: BatchJob) {
  if (batchStore.find(job.id)?.phase === 'running') return;
  batchStore.add(job);
  void run(client, job.id);
}

/** The delays before the next request after a lost response; the last one repeats. */
const pauses = [300, 1_000, 3_000, 5_000];
/** The batch stops after this many requests in a row without a response. */
const patience = 8;
/** The pause after a request without progress: another client is working on the rest. */
const idleMilliseconds = 500;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs the batch to its end. A lost response is retried: each claim moves once, however often the request is sent. */
async function run(client: QueryClient, id: string): Promise<void> {
  let unanswered = 0;
  // The job is gone after the session has changed: it never continues with the session of the next admin.
  for (let job = batchStore.find(id); job; job = batchStore.find(id)) {
    try {
      const { confirmation, isConfirmed } = job;
      if (confirmation && !isConfirmed) {
        await sendConfirmation(id, confirmation);
        batchStore.patch(id, { isConfirmed: true });
      }
      const { endedAt, ...progress } = await runBatch(id);
      unanswered = 0;
      batchStore.patch(id, { ...progress, trouble: undefined });
      if (endedAt !== null) return end(client, id);
      if (progress.outcome.left === job.outcome.left) await pause(idleMilliseconds);
    } catch (error) {
      unanswered += 1;
      if (!isOutcomeUnknown(error)) return refuse(client, id, error);
      if (unanswered >= patience) {
        return batchStore.patch(id, { phase: 'stopped', trouble: sentenceOf(error) });
      }
      batchStore.patch(id, { trouble: 'No answer came back. Asking again…' });
      await pause(pauses[unanswered - 1] ?? pauses.at(-1) ?? 0);
    }
  }
}

function refuse(client: QueryClient, id: string, error: unknown) {
  const isExpired = error instanceof RefusedError && error.code === 'batch_expired';
  const plan = isExpired ? batchStore.find(id)?.plan : undefined;
  batchStore.patch(id, { phase: 'refused', trouble: sentenceOf(error), plan });
  refresh(client, id);
}

async function end(client: QueryClient, id: string): Promise<void> {
  refresh(client, id);
  await readProblems(id);
  batchStore.patch(id, { phase: 'ended' });
  const job = batchStore.find(id);
  if (job?.canUndo) undoables.add({ id, undo: () => void undoBatch(client, job) });
}

/** Moves back what the batch accepted, without a sheet: the server leaves out what somebody moved since. */
export async function undoBatch(client: QueryClient, job: BatchJob): Promise<void> {
  dismissBatch(job.id);
  try {
    start(client, jobOf(await planBatch({ undoOf: job.id })));
  } catch (error) {
    batchStore.add({ ...job, undoTrouble: sentenceOf(error) });
  }
}

export function dismissBatch(id: string) {
  undoables.forget(id);
  batchStore.dismiss(id);
}

/** Reads which claims did not move, and why. */
export async function readProblems(id: string): Promise<void> {
  const job = batchStore.find(id);
  if (!job || notMovedCount(job) === 0) return;
  try {
    batchStore.patch(id, { sheet: await readBatch(id), trouble: undefined });
  } catch (error) {
    batchStore.patch(id, { trouble: sentenceOf(error) });
  }
}

export const notMovedCount = ({ outcome }: BatchJob) => outcome.skipped + outcome.failed;

/** An admin who waits for the end gets a fresh list; for one who has moved on, each row keeps its place. */
function refresh(client: QueryClient, id: string) {
  const rows = { queryKey: rowsKey(claimList.noun) };
  if (batchStore.now().shown === id) void client.resetQueries(rows);
  else void client.invalidateQueries(rows);
  const { queryKey: unfinished } = unfinishedOptions;
  for (const queryKey of [[claimList.noun, 'totals'], claimDetailsKey, clientsKey, unfinished]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** A request without a response counts as lost after this time. Each request runs a batch for about a second. */
const patienceMilliseconds = 20_000;

const at = (id: string) => ({ params: { path: { batch_id: id } } });

const readBatch = (id: string) => dataOf<Sheet>(api.GET('/api/batches/{batch_id}', at(id)));

/** May be sent again: the second time it changes nothing. A batch that is confirmed as planned needs none. */
async function sendConfirmation(batch: string, { references, without }: Confirmation) {
  if (Object.keys(references).length + without.length === 0) return;
  await dataOf(
    api.POST('/api/batches/confirm', {
      body: { batch, references, without },
      signal: AbortSignal.timeout(patienceMilliseconds),
    }),
  );
}

/** Continues the batch for a moment. However often it is called, each claim moves once. */
const runBatch = (id: string) =>
  dataOf<Schemas['BatchProgress']>(
    api.POST('/api/batches/{batch_id}/run', {
      ...at(id),
      signal: AbortSignal.timeout(patienceMilliseconds),
    }),
  );

/** Ends the batch: moved claims stay moved, the rest stay as they are. May be called again. */
const requestLeave = (id: string) =>
  dataOf<Schemas['BatchProgress']>(api.POST('/api/batches/{batch_id}/leave', at(id)));

const pollMilliseconds = 4_000;

/** The batches of this admin that are confirmed and not ended. Polled while there is one, because it may be running. */
export const unfinishedOptions = queryOptions({
  queryKey: ['batches', 'unfinished'],
  queryFn: ({ signal }) => dataOf<UnfinishedBatch[]>(api.GET('/api/batches', { signal })),
  refetchInterval: ({ state }) => (state.data?.length ? pollMilliseconds : false),
});
