import type { Schemas } from '../../api/client';
import { isSettled } from '../../entities/claim/status';
import { countOf, formatRupees, sumRupees } from '../../ui/rupees';

/** The amount that may still have to be paid, if every count is exact. */
export function waitingText(totals: Schemas['ClaimTotals'] | undefined): string {
  const waiting = totals?.byStatus.filter(({ status }) => !isSettled(status)) ?? [];
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  if (count === 0 || !waiting.every(({ isExact, amount }) => isExact && amount !== null)) return '';
  const amount = sumRupees(waiting, (one) => one.amount ?? 0);
  return `${formatRupees(amount)} waiting in ${countOf(count, 'claim')}`;
}
