import { copyText } from '../../ui/copyText';
import type { Claim } from './claimsQuery';

/** As a bank's form takes it: no sign, no grouping. */
export const plainAmount = (claim: Claim) => claim.amount.toFixed(2);

/** Account, IFSC and amount, a line each. Says what became of it. */
export async function copyBank(claim: Claim): Promise<string> {
  const lines = [claim.accountNo, claim.ifsc, plainAmount(claim)];
  return (await copyText(lines.join('\n')))
    ? `Copied account, IFSC and amount of ${claim.user.username}.`
    : 'Copying is not allowed here.';
}
