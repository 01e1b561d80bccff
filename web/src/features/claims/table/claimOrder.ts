import type { Claim } from '../../../entities/claim/claim';
import { claimView } from './claimView';

/** What the server sorts claims by. Of equal investments it knows the purchases, which a claim does not name. */
const keysOf: Record<string, (claim: Claim) => (string | number)[]> = {
  createdAt: ({ createdAt, _id }) => [createdAt, _id],
  username: ({ user, _id }) => [user.username, user._id, _id],
  mobile: ({ user, _id }) => [user.mobile, user._id, _id],
  invest: ({ purchase, _id }) => [purchase.invest, _id],
  amount: ({ amount, _id }) => [amount, _id],
  accountNo: ({ accountNo, _id }) => [accountNo, _id],
  ifsc: ({ ifsc, _id }) => [ifsc, _id],
  address: ({ address, _id }) => [address, _id],
  status: ({ status, createdAt, _id }) => [status, createdAt, _id],
};

/** Puts claims in the order of the list, also those that are no longer loaded. */
export function claimOrder(sort: string): (one: Claim, other: Claim) => number {
  const name = sort || claimView.defaultSort;
  const keys = keysOf[name.replace(/^-/, '')] ?? (({ _id }: Claim) => [_id]);
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
