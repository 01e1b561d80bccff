import { wordsOf } from './headings';

const done = new Set(
  (
    'completed complete credited done executed ok paid processed settled success succeeded successful successfully ' +
    'transferred'
  ).split(' '),
);
const beside = new Set(
  'account bank beneficiary payment payout to transaction transfer txn'.split(' '),
);
const notDone = new Set(
  (
    'aborted awaiting blocked bounced canceled cancelled declined error expired fail failed failure hold incomplete ' +
    'initiated invalid pending processing queued refunded rejected returned reversed scheduled stopped timeout ' +
    'unpaid unsuccessful असफल विफल लंबित अस्वीकृत रद्द वापस'
  ).split(' '),
);

/** Whether a payment has this status only if it has arrived. "Not paid" and "Paid, reversed" do not say so. */
export function isPaidStatus(cell: string): boolean {
  const words = wordsOf(cell);
  // What our own copy says of a claim that is to be paid.
  if (words.join() === 'accepted') return true;
  return (
    words.some((word) => done.has(word)) &&
    words.every((word) => done.has(word) || beside.has(word)) &&
    !/\p{N}/u.test(cell)
  );
}

/** Whether a text says, among other things, that a payment has not arrived. */
export const saysUnpaid = (cell: string) => {
  const words = wordsOf(cell);
  return (
    words.some((word) => notDone.has(word)) ||
    (words.includes('not') && words.some((word) => done.has(word)))
  );
};
