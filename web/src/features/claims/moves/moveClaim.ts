import type { QueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../../api/errors';
import { changeRow } from '../../../api/pages';
import { randomHex } from '../../../api/randomHex';
import type { RowTask } from '../../../api/rowTasks';
import { getToken } from '../../../api/session';
import {
  type Claim,
  type ClaimStatus,
  claimDetailsKey,
  claimList,
  claimTasks,
  claimTimeoutMilliseconds,
  findMove,
  findUndo,
  readClaim,
} from '../../../entities/claim/claim';
import { claimStatuses } from '../../../entities/claim/status';
import { undoables } from '../../../entities/claim/undoable';
import type { Notice } from '../../../ui/notices/Notices';
import { nameInText } from '../../../ui/text/names';
import { formatRupees } from '../../../ui/text/rupees';
import { isConflict, movedBy, whyNotMoved } from './claimChanges';
import { whenReachable } from './whenReachable';

export const nameOf = (claim: Claim) =>
  `The claim of ${nameInText(claim.user)} (${formatRupees(claim.amount)})`;

/** The delays in milliseconds before the same request is sent again. */
const pauses = [250, 750, 2_000];

interface Listening {
  /** Returns true if it handles a refusal, e.g. shows it at a field. Any other refusal is shown as a notice. */
  takes?: (error: RefusedError) => boolean;
  /** Called when the response is late or lost. From then on a notice reports the move. */
  onLost?: () => void;
}

/** One request per claim at a time. Returns the claim if it has moved. Every failure is shown as a notice. */
export async function moveClaim(
  client: QueryClient,
  asked: MoveRequest,
  { takes, onLost }: Listening = {},
): Promise<Claim | undefined> {
  const { claim } = asked;
  const id = claim._id;
  const task = claimTasks.begin(id);
  if (!task) return undefined;
  try {
    const { claim: moved, alreadyAt } = await sendUntilAnswered(asked, () => {
      onLost?.();
      notifyOpen(task, claim, 'Asking again…');
    });
    await replaceClaim(client, id, () => moved);
    undoables.forget(id);
    if (alreadyAt) {
      // Never report it as done just now: an admin who believes that pays at the bank a second time.
      const line = `${nameOf(moved)} was ${moved.status} already. Nothing was changed.`;
      task.notify({ tone: 'bad', lines: [line, movedBy('You', moved.status, alreadyAt)] });
    } else {
      if (findUndo(moved)) undoables.add({ id, claim: moved });
      claimTasks.dismiss(id);
    }
    task.end();
    return alreadyAt ? undefined : moved;
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      onLost?.();
      await check(client, asked, task);
      return undefined;
    }
    const isTaken = error instanceof RefusedError && takes?.(error) === true;
    if (isTaken) claimTasks.dismiss(id);
    else
      task.notify({
        tone: 'bad',
        lines: [`${nameOf(claim)} was not changed.`, whyNotMoved(error)],
      });
    if (!isTaken || isConflict(error)) {
      // Until the claim is read again, its row shows the status that the server reported and allows no moves.
      if (isConflict(error)) {
        const status = claimStatuses.find((known) => known === error.fields.status);
        await replaceClaim(client, id, (now) => ({ ...now, ...(status && { status }), moves: [] }));
      }
      // The refusal has been shown above, and the row already shows the conflict.
      await reloadClaim(client, id).catch(() => undefined);
    }
    task.end();
    return undefined;
  }
}

/** Retries after a lost response, with the same key: if the claim has moved, the server repeats its response. */
async function sendUntilAnswered(asked: MoveRequest, onWait: () => void): Promise<MoveResponse> {
  const key = randomHex();
  const session = getToken();
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendMove(asked, key);
    } catch (error) {
      const pause = pauses[attempt];
      if (!isOutcomeUnknown(error) || pause === undefined) throw error;
      if (attempt > 0) onWait();
      await new Promise((resolve) => setTimeout(resolve, pause));
      // Never send it with the session of the next admin.
      if (getToken() !== session) throw error;
    }
  }
}

const unknown = 'The outcome is not known yet.';

function notifyOpen(task: RowTask<Notice>, claim: Claim, line: string, again?: () => void) {
  task.notify({
    tone: 'plain',
    lines: [`${nameOf(claim)}: no answer came back.`, `${unknown} ${line}`],
    isOpen: true,
    ...(again && { check: again }),
  });
}

/** The row stays locked until the server reports the state of the claim. The move is never sent again. */
async function check(
  client: QueryClient,
  asked: MoveRequest,
  task: RowTask<Notice>,
): Promise<void> {
  const { claim, target } = asked;
  let stopWaiting = () => {};
  let isLooking = false;

  const look = async () => {
    stopWaiting();
    // Two results would end the task twice, and the second one might unlock the next move of this row.
    if (isLooking) return;
    isLooking = true;
    try {
      const now = await reloadClaim(client, claim._id);
      const truth = now ? `The server says it is ${now.status}.` : 'This claim no longer exists.';
      const next = now && findMove(now, target) ? ' You can try again.' : '';
      task.notify({
        tone: 'plain',
        lines: [`${nameOf(claim)}: no answer came back.`, `Checked: ${truth}${next}`],
      });
      task.end();
    } catch (error) {
      isLooking = false;
      // The row stays locked, because nobody should pay on a guess.
      notifyOpen(task, claim, sentenceOf(error), lookNow);
      stopWaiting = whenReachable(() => void look());
    }
  };
  const lookNow = () => {
    notifyOpen(task, claim, 'Checking…');
    void look();
  };

  notifyOpen(task, claim, 'Checking…');
  await look();
}

interface MoveRequest {
  /** The claim as the admin saw it. Its version is sent along, so that a claim that has changed since is not moved. */
  claim: Claim;
  target: ClaimStatus;
  reason?: string;
  reference?: string;
  seen?: string[];
}

interface MoveResponse {
  claim: Claim;
  /** Set if this admin had already made this move, e.g. in another window: then nothing was changed now. */
  alreadyAt: string | null;
}

/** Every retry of a move sends the same idempotency key, so the server repeats its first response. */
async function sendMove(asked: MoveRequest, key: string): Promise<MoveResponse> {
  const { claim, target, reason, reference, seen } = asked;
  const { data, response } = await answerOf<Claim>(
    api.PUT('/api/claims/{claim_id}/status', {
      params: { path: { claim_id: claim._id }, header: { 'Idempotency-Key': key } },
      body: {
        status: target,
        version: claim.version,
        ...(reason && { reason }),
        ...(reference && { reference }),
        ...(seen && { seen }),
      },
      signal: AbortSignal.timeout(claimTimeoutMilliseconds),
    }),
  );
  return { claim: data, alreadyAt: response.headers.get('Already-Moved-At') };
}

/** Changes one row in place, in every page that has it, and refetches the details of the claims. */
async function replaceClaim(
  client: QueryClient,
  id: string,
  change: (claim: Claim) => Claim,
): Promise<void> {
  await changeRow(client, claimList.noun, id, change);
  void client.invalidateQueries({ queryKey: claimDetailsKey });
}

/**
 * Reads the claim from the server, updates its row and returns it. Returns undefined if the claim does not exist:
 * then the row stays in its place and allows no moves. Throws if the claim cannot be read. Does not use a page query:
 * when a move of another row cancels it, it returns the old rows, and an old row is how a claim gets paid twice.
 */
async function reloadClaim(client: QueryClient, id: string): Promise<Claim | undefined> {
  const claim = await readClaim(id);
  await replaceClaim(client, id, (before) => claim ?? { ...before, moves: [] });
  return claim;
}
