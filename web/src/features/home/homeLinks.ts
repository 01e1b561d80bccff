import { claimsPath, purchasesPath } from '../../ui/page/paths';

/* The lists that the figures of Home count. */

/** The first and the last day, both included. */
export interface Period {
  from?: string | null | undefined;
  to?: string | null | undefined;
}

const list = (path: string, query: Readonly<Record<string, string | null | undefined>>) => {
  const given = Object.entries(query).filter(([, value]) => value);
  const search = new URLSearchParams(given as [string, string][]).toString();
  return search ? `${path}?${search}` : path;
};

export const requestedLink = ({ from, to }: Period, status?: string) =>
  list(claimsPath, { status, from, to });

export const reachedLink = (reached: string, { from, to }: Period, by?: string) =>
  list(claimsPath, { reached, reachedFrom: from, reachedTo: to, reachedBy: by });

export const moneyLink = ({ from, to }: Period, qr?: string) =>
  list(purchasesPath, { qr, from, to });
