import type { Claim } from '../../../entities/claim/claim';
import { claimView } from './claimView';

/** What the server sorts claims by. Of equal investments it knows the purchases, which a claim does not name. */
const keysOf: Record<string, (claim: Claim) => (string | number)[]> = {
  username: ({ user }) => [user.username, user._id],
  mobile: ({ user }) => [user.mobile, user._id],
  invest: ({ purchase }) => [purchase.invest],
  status: ({ status, createdAt }) => [status, createdAt],
};

/** Puts claims in the order of the list, also those that are no longer loaded. */
export function claimOrder(sort: string): (one: Claim, other: Claim) => number {
  const name = sort || claimView.defaultSort;
  const field = name.replace(/^-/, '');
  const keys = (claim: Claim) => [
    ...(keysOf[field]?.(claim) ?? [claim[field as 'amount']]),
    claim._id,
  ];
  const sign = name.startsWith('-') ? -1 : 1;
  return (one, other) => {
    const others = keys(other);
    for (const [place, key] of keys(one).entries()) {
      const against = others[place] ?? '';
      if (key !== against) return key < against ? -sign : sign;
    }
    return 0;
  };
}
