import { countOf, formatCount } from '../../ui/text/rupees';
import type { BatchJob, Target } from './batchStore';

const words: Record<Target, [does: string, doing: string, done: string, after: string]> = {
  Accepted: ['Accept', 'Accepting', 'accepted', ''],
  Paid: ['Mark', 'Marking', 'marked', ' Paid'],
  'On hold': ['Put', 'Putting', 'put', ' on hold'],
  Rejected: ['Reject', 'Rejecting', 'rejected', ''],
  Pending: ['Move', 'Moving', 'moved', ' back to Pending'],
};

/** "Accept 497 claims", or "Accepting 497 claims". */
export function actionText(target: Target, count: number, isUnderWay = false): string {
  const [does, doing, , after] = words[target];
  return `${isUnderWay ? doing : does} ${countOf(count, 'claim')}${after}`;
}

/** The headline of a batch, which is also announced. It changes with the state, not with each claim. */
export function headlineOf({ phase, target, count, outcome, undoTrouble }: BatchJob): string {
  const result = () => resultText(outcome.done, outcome.skipped + outcome.failed, target);
  switch (phase) {
    case 'running':
      // Claims that were skipped from the start are not being moved.
      return actionText(target, count - outcome.skipped, true);
    case 'stopped':
      return stoppedHalfWay(outcome.done, count);
    case 'refused':
      return outcome.done > 0 ? stoppedHalfWay(outcome.done, count) : 'Nothing was moved';
    case 'ended':
      return undoTrouble ? `Not undone: ${result()}` : result();
  }
}

export const stoppedHalfWay = (done: number, count: number) =>
  `A batch stopped half-way: ${formatCount(done)} of ${formatCount(count)} done`;

/** What happens if the batch is left half done. */
export function leavingTexts({ target, count, outcome: { done } }: BatchJob): string[] {
  const rest = count - done;
  return [
    done === 0
      ? 'No claim was moved.'
      : `${countOf(done, 'claim')} ${done === 1 ? 'was' : 'were'} moved to ${target}, and ${done === 1 ? 'stays' : 'stay'} moved.`,
    `${countOf(rest, 'claim')} ${rest === 1 ? 'stays as it is' : 'stay as they are'}, and can be chosen again.`,
  ];
}

function resultText(done: number, not: number, target: Target): string {
  if (not > 0) return `${formatCount(done)} done, ${formatCount(not)} not`;
  const [, , verb, after] = words[target];
  return `${countOf(done, 'claim')} ${verb}${after}.`;
}

/** The progress, or what went wrong. */
export function detailOf({ phase, outcome, trouble, undoTrouble }: BatchJob): string {
  if (undoTrouble ?? trouble) return undoTrouble ?? trouble ?? '';
  if (phase === 'ended') return '';
  return `${formatCount(outcome.done)} done · ${formatCount(outcome.left)} left`;
}

export const progressOf = ({ count, outcome }: BatchJob) => ({
  done: count - outcome.left,
  of: count,
});
