import type { Schemas } from '../api/client';

/** What the server would answer about these claims. */
export function totalsOf(claims: readonly Schemas['Claim'][], status: string | null = null) {
  const sumOf = (some: readonly Schemas['Claim'][]) => ({
    count: some.length,
    amount: Math.round(some.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100,
    isExact: true,
  });
  return {
    ...sumOf(claims.filter((claim) => !status || claim.status === status)),
    byStatus: (['Pending', 'Accepted', 'Paid'] as const).map((one) => ({
      status: one,
      ...sumOf(claims.filter((claim) => claim.status === one)),
    })),
  };
}
