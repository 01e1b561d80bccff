import type { Schemas } from '../api/client';

type Claim = Schemas['Claim'];
type Queue = Schemas['Queue'];

const statuses = ['Pending', 'Accepted', 'Paid', 'On hold', 'Rejected', 'Returned'] as const;

const sumOf = (some: readonly Claim[]) => ({
  count: some.length,
  amount: Math.round(some.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100,
});

const having = (claims: readonly Claim[], status: Claim['status']) =>
  claims.filter((claim) => claim.status === status);

/** The totals that the server would return for these claims. */
export function totalsOf(claims: readonly Claim[], status: string | null = null) {
  const isExact = true;
  return {
    ...sumOf(claims.filter((claim) => !status || claim.status === status)),
    isExact,
    byStatus: statuses.map((one) => ({ status: one, ...sumOf(having(claims, one)), isExact })),
  };
}

const queues: Pick<Queue, 'queue' | 'status'>[] = [
  { queue: 'Pending', status: 'Pending' },
  { queue: 'Accepted', status: 'Accepted' },
  { queue: 'On hold', status: 'On hold' },
  { queue: 'Paid today', status: 'Paid' },
];

export const queuesOf = (claims: readonly Claim[]): Queue[] =>
  queues.map(({ queue, status }) => {
    const waiting = having(claims, status);
    const [oldestAt = null] = waiting.map(({ createdAt }) => createdAt).sort();
    return { queue, status, ...sumOf(waiting), oldestAt };
  });
