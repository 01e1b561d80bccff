import type { QueryClient } from '@tanstack/react-query';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import type { RowTask } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';
import { formatRupees } from '../../ui/rupees';
import { whyNotMoved } from './claimFailure';
import { type Claim, type ClaimMove, moveClaim, readClaimAnew, replaceClaim } from './claimsQuery';
import { claimWork } from './claimWork';

const nameOf = (claim: Claim) =>
  `The claim of ${claim.user.username} (${formatRupees(claim.amount)})`;

/** Moves a claim, one request per claim at a time. Whatever goes wrong is told as a notice. */
export async function move(
  client: QueryClient,
  claim: Claim,
  target: ClaimMove,
  onMoved: (sentence: string) => void,
): Promise<void> {
  const id = claim._id;
  const task = claimWork.begin(id);
  if (!task) return;
  try {
    const moved = await moveClaim(id, target);
    await replaceClaim(client, id, () => moved);
    task.end();
    onMoved(`${nameOf(moved)} is now ${moved.status}.`);
  } catch (error) {
    if (isOutcomeUnknown(error)) return check(client, claim, target, task);
    task.tell({ tone: 'bad', lines: [`${nameOf(claim)} was not changed.`, whyNotMoved(error)] });
    await applyConflict(client, id, error);
    // The refusal is told above, and a conflict stands in the row already.
    await readClaimAnew(client, id).catch(() => undefined);
    task.end();
  }
}

/** The answer was lost: the row stays locked until the server has said what became of it. */
async function check(
  client: QueryClient,
  claim: Claim,
  target: ClaimMove,
  task: RowTask<Notice>,
): Promise<void> {
  const tell = (line: string, rest: Partial<Notice> = {}) =>
    task.tell({
      tone: 'plain',
      lines: [`${nameOf(claim)}: no answer came back.`, line],
      ...rest,
    });
  const unknown = 'The outcome is not known yet.';
  tell(`${unknown} Checking…`, { isOpen: true });
  try {
    const now = await readClaimAnew(client, claim._id);
    const truth = now ? `The server says it is ${now.status}.` : 'It is no longer in the list.';
    const next = now?.moves.includes(target) ? ' You can try again.' : '';
    tell(`Checked: ${truth}${next}`);
    task.end();
  } catch (error) {
    // The row stays locked: nobody should pay on a guess.
    const again = () => void check(client, claim, target, task);
    tell(`${unknown} ${sentenceOf(error)}`, { isOpen: true, check: again });
  }
}

/** Until the claim is read again its row shows the status the server named, and allows nothing. */
async function applyConflict(client: QueryClient, id: string, error: unknown) {
  const status = error instanceof RefusedError ? error.fields.status : undefined;
  if (!status) return;
  await replaceClaim(client, id, (claim) => ({
    ...claim,
    status: status as Claim['status'],
    moves: [],
  }));
}
