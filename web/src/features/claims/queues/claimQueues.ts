import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import type { Claim, ClaimStatus } from '../../../entities/claim/claim';
import { isSettled } from '../../../entities/claim/status';
import type { List } from '../../../ui/table/columns/columns';
import { startOfDay, type View } from '../../../ui/table/filters/view';
import { countOf, formatRupees, sumRupees } from '../../../ui/text/rupees';

export type Queue = Schemas['Queue'];

/** In the order of the work, with the status that each queue filters by. */
export const queues: readonly Pick<Queue, 'queue' | 'status'>[] = [
  { queue: 'Pending', status: 'Pending' },
  { queue: 'Accepted', status: 'Accepted' },
  { queue: 'On hold', status: 'On hold' },
  { queue: 'Paid today', status: 'Paid' },
];

type QueueName = Queue['queue'];

/** The current day in the admin's time zone, e.g. `2026-11-15`. */
export function today(now: Date = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The key is below that of the totals, so that every move of a claim refetches the queues. */
export const queuesOptions = (day: string) =>
  queryOptions({
    queryKey: ['claims', 'totals', 'queues', day],
    queryFn: ({ signal }) =>
      dataOf<Queue[]>(
        api.GET('/api/claims/queues', { params: { query: { since: startOfDay(day) } }, signal }),
      ),
  });

type Filters = View['filters'];

/** The same filters for one queue, or for all claims if the status is empty. */
export function withQueue(filters: Filters, status: string, movedFrom = ''): Pick<View, 'filters'> {
  const { status: _, movedFrom: __, movedTo: ___, ...others } = filters;
  return {
    filters: { ...others, ...(status && { status }), ...(movedFrom && { movedFrom }) },
  };
}

/** The queue that these filters show, if any. */
export function queueOf(filters: Filters, day: string): QueueName | undefined {
  const { status, movedFrom, movedTo } = filters;
  if (movedTo || (movedFrom && movedFrom !== day)) return undefined;
  if (movedFrom) return status === 'Paid' ? 'Paid today' : undefined;
  return queues.find((one) => one.status === status && one.queue !== 'Paid today')?.queue;
}

/** The greatest distance that the focus moves without the admin asking for it. */
const farthest = 500;

/**
 * The row where the work continues: the next claim that still waits in this queue, else the nearest one above, else
 * the same row. Moved claims stay in their place, and claims with a move in progress are skipped.
 */
export function nextInQueue(
  list: Pick<List<Claim>, 'rowAt' | 'count'>,
  from: number,
  queue: ClaimStatus,
  isBusy: (id: string) => boolean,
): number {
  const waits = (claim: Claim) => claim.status === queue && !isBusy(claim._id);
  const end = Math.min(list.count ?? 0, from + farthest);
  for (let index = from + 1; index < end; index++) {
    const claim = list.rowAt(index);
    // A row that is still loading gets the focus when it arrives.
    if (claim === undefined || waits(claim)) return index;
  }
  for (let index = from - 1; index >= Math.max(0, from - farthest); index--) {
    const claim = list.rowAt(index);
    if (claim && waits(claim)) return index;
  }
  return from;
}

/** The index of a claim in the list, or -1 if it is not loaded. */
export function placeOf(list: Pick<List<Claim>, 'rowAt' | 'count'>, id: string): number {
  const count = Math.min(list.count ?? 0, 10 * farthest);
  for (let index = 0; index < count; index++) if (list.rowAt(index)?._id === id) return index;
  return -1;
}

/** The amount that may still have to be paid, if every count is exact. */
export function waitingText(totals: Schemas['ClaimTotals'] | undefined): string {
  const waiting = totals?.byStatus.filter(({ status }) => !isSettled(status)) ?? [];
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  if (count === 0 || !waiting.every(({ isExact, amount }) => isExact && amount !== null)) return '';
  const amount = sumRupees(waiting, (one) => one.amount ?? 0);
  return `${formatRupees(amount)} waiting in ${countOf(count, 'claim')}`;
}
