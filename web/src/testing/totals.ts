import type { Schemas } from '../api/client';

type Claim = Schemas['Claim'];
type Figures = Schemas['ClaimFigures'];
type Totals = Schemas['ClaimTotals'];

const statuses = ['Pending', 'Accepted', 'Paid', 'On hold', 'Rejected', 'Returned'] as const;

const sumOf = (some: readonly Claim[]) => ({
  count: some.length,
  amount: Math.round(some.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100,
});

const having = (claims: readonly Claim[], status: Claim['status']) =>
  claims.filter((claim) => claim.status === status);

/** The totals that the server would return for these claims. */
export function totalsOf(claims: readonly Claim[], status: string | null = null): Totals {
  const isExact = true;
  return {
    ...sumOf(claims.filter((claim) => !status || claim.status === status)),
    isExact,
    byStatus: statuses.map((one) => ({ status: one, ...sumOf(having(claims, one)), isExact })),
    figures: figuresOf(claims),
  };
}

const waiting = ['Pending', 'Accepted', 'On hold', 'Returned'] as const;

/** All paid claims count as paid on the Monday of a week that began on that day. */
function figuresOf(claims: readonly Claim[]): Figures {
  const paid = { since: '2026-11-16', ...sumOf(having(claims, 'Paid')), isExact: true };
  const oldest = waiting.flatMap((status) => {
    const [createdAt] = having(claims, status)
      .map((claim) => claim.createdAt)
      .sort();
    return createdAt ? [{ status, createdAt }] : [];
  });
  return { oldest, paidToday: paid, paidThisWeek: paid };
}
