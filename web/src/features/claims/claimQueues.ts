import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { startOfDay } from '../../ui/table/localDays';
import type { View } from '../../ui/table/view';

export type Queue = Schemas['Queue'];

/** In the order of the work, with the status that each queue filters by. */
export const queues: readonly Pick<Queue, 'queue' | 'status'>[] = [
  { queue: 'Pending', status: 'Pending' },
  { queue: 'Accepted', status: 'Accepted' },
  { queue: 'On hold', status: 'On hold' },
  { queue: 'Paid today', status: 'Paid' },
];

export type QueueName = Queue['queue'];

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
