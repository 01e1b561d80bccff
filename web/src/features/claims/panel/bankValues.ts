import type { Claim } from '../../../entities/claim/claim';
import { copyText } from '../../../ui/text/CopyButton';
import { isMasked } from '../../../ui/text/MaskedNumber';
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

/** What was corrected while the admin had the claim open, in a sentence. Empty if nothing was. */
export function correctedSince(first: Claim, now: Claim): string {
  const values = bankValues(now);
  const old = bankValues(first).filter(({ text }, place) => text !== values[place]?.text);
  if (first._id !== now._id || old.length === 0) return '';
  const before = old.map(({ name, shown }) => `${name} was ${shown}`).join(', ');
  return `Corrected while you had this claim open: ${before}.`;
}

interface Copying {
  isCopied: boolean;
  /** The message to show. */
  sentence: string;
}

const maskedSentence =
  'The account number is masked. Press Show in the details of the claim, then copy it.';

/** Copies one value, unless it is a masked number. */
export async function copyValue({ name, text }: { name: string; text: string }): Promise<Copying> {
  if (isMasked(text)) return { isCopied: false, sentence: maskedSentence };
  const isCopied = await copyText(text);
  return { isCopied, sentence: isCopied ? `Copied ${name}.` : 'Copying is not allowed here.' };
}

/** Copies account, IFSC and amount, one per line. Returns the message to show. */
export async function copyBank(claim: Claim): Promise<string> {
  if (isMasked(claim.accountNo)) return maskedSentence;
  const text = [claim.accountNo, claim.ifsc, plainAmount(claim)].join('\n');
  const name = `account, IFSC and amount of ${nameInText(claim.user)}`;
  return (await copyValue({ name, text })).sentence;
}
