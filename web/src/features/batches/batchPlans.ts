import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentencesOf } from '../../api/errors';
import { findMove, loadedClaims } from '../../entities/claim/claim';
import { batchStore, type Choice, type Draft, type Plan, type Sheet } from './batchStore';

/* What a screen needs to ask for a batch. What runs one is loaded after the first rows. */

/** Asks for a reason if one is needed, then requests a sheet, the preview. Nothing moves until that is confirmed. */
export function beginBatch(
  client: QueryClient,
  target: Choice,
  which: Plan,
  sort: string | undefined,
  onStarted: () => void,
): void {
  const asked = { plan: { ...which, status: target }, target, sort, onStarted };
  const claims = [...loadedClaims(client).values()];
  if (claims.some((claim) => findMove(claim, target)?.needsReason))
    batchStore.setDraft({ ...asked, phase: 'reason' });
  else void askForSheet(asked);
}

type Asked = Pick<Draft, 'plan' | 'target' | 'sort' | 'onStarted' | 'entered'>;

export async function askForSheet({ plan, target, sort, onStarted, entered }: Asked) {
  const draft: Draft = { plan, target, sort, onStarted, entered, phase: 'planning' };
  batchStore.setDraft(draft);
  const isAwaited = () => batchStore.now().draft === draft;
  try {
    const sheet = await planBatch(plan);
    const claims = isAwaited() && sheet.willMove.count > 0 ? await listClaims(sheet._id, sort) : [];
    if (isAwaited()) batchStore.setDraft({ ...draft, phase: 'sheet', sheet, claims });
  } catch (error) {
    if (!isAwaited()) return;
    // No claim that needs one was loaded.
    if (error instanceof RefusedError && error.fields.reason && !plan.reason) {
      return batchStore.setDraft({ ...draft, phase: 'reason' });
    }
    const canRetry = isOutcomeUnknown(error);
    batchStore.setDraft({ ...draft, phase: 'failed', trouble: sentencesOf(error), canRetry });
  }
}

export const planBatch = (plan: Plan) =>
  dataOf<Sheet>(api.POST('/api/batches', { body: { except: [], ...plan } }));

const listClaims = (batch_id: string, sort: string | undefined) =>
  dataOf<Schemas['BatchClaim'][]>(
    api.GET('/api/batches/{batch_id}/claims', {
      params: { path: { batch_id }, query: sort ? { sort } : {} },
    }),
  );
