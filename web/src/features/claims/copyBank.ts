import type { Claim } from '../../entities/claim/claim';
import { copyText } from '../../ui/copyText';

/** As a bank's form expects it: no currency sign, no digit grouping. */
export const plainAmount = (claim: Claim) => claim.amount.toFixed(2);

/** Copies account, IFSC and amount, one per line. Returns the message to show. */
export async function copyBank(claim: Claim): Promise<string> {
  const lines = [claim.accountNo, claim.ifsc, plainAmount(claim)];
  return (await copyText(lines.join('\n')))
    ? `Copied account, IFSC and amount of ${claim.user.username}.`
    : 'Copying is not allowed here.';
}
