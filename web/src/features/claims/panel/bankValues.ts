import type { Claim } from '../../../entities/claim/claim';
import { copyText } from '../../../ui/text/CopyButton';
import { nameInText } from '../../../ui/text/names';
import { formatRupees } from '../../../ui/text/rupees';

/** The values that a bank's form asks for, in the order of the keys that copy them. */
export const bankValues = (claim: Claim) => [
  { name: 'Account No', shown: claim.accountNo, text: claim.accountNo },
  { name: 'IFSC', shown: claim.ifsc, text: claim.ifsc },
  { name: 'Amount', shown: formatRupees(claim.amount), text: plainAmount(claim) },
];

/** As a bank's form expects it: no currency sign, no digit grouping. */
const plainAmount = (claim: Claim) => claim.amount.toFixed(2);

/** Copies account, IFSC and amount, one per line. Returns the message to show. */
export async function copyBank(claim: Claim): Promise<string> {
  const lines = [claim.accountNo, claim.ifsc, plainAmount(claim)];
  return (await copyText(lines.join('\n')))
    ? `Copied account, IFSC and amount of ${nameInText(claim.user)}.`
    : 'Copying is not allowed here.';
}
