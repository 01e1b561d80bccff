/** What a column of a paste says about the claims. */
export type Role =
  | 'number'
  | 'reference'
  | 'amount'
  | 'account'
  | 'ifsc'
  | 'name'
  | 'status'
  | 'other';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Only words that a column is called by: "pending" or "-" in place of a reference is no heading. */
const headingWords = setOf(
  'a ac acc account accounts acct action address amount amt bank beneficiary c claim claims client code created ' +
    'customer date external holder id ids ifsc income invest mobile name names no nos number numbers payee payment ' +
    'payout phone qr ref reference references refs rrn rs rupees s serial sl sr transaction transfer txn user username utr',
);
const numbering = setOf('no nos number numbers id ids');
const references = setOf('utr rrn ref refs reference references');
/** With another word, such as "customer", "old" or "date", it is another reference or none. */
const besideReferences = setOf(
  'bank banks transaction txn payment payout transfer upi imps neft rtgs',
);
const irrelevant = setOf(
  'address branch created date income invest mobile phone s serial since sl sr time',
);

export const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean);

/** Without a digit, which every line of a claim has, and with the name of at least one column. */
export function isHeading(cells: readonly string[]): boolean {
  if (cells.some((cell) => /\p{N}/u.test(cell))) return false;
  return cells.some((cell) => {
    const words = wordsOf(cell);
    return words.length > 0 && words.every((word) => headingWords.has(word));
  });
}

/** Undefined without a heading. */
export function roleOf(heading: string): Role | 'unknown' | undefined {
  if (!heading) return undefined;
  const words = wordsOf(heading);
  const has = (...some: string[]) => some.some((word) => words.includes(word));
  const isOnly = (...sets: ReadonlySet<string>[]) =>
    words.every((word) => sets.some((set) => set.has(word)));
  if (has('status', 'result', 'outcome')) return 'status';
  if (words.some((word) => references.has(word)))
    return isOnly(references, besideReferences, numbering) ? 'reference' : 'unknown';
  if (has('transaction', 'txn', 'payment') && words.some((word) => numbering.has(word)))
    if (isOnly(besideReferences, numbering)) return 'reference';
  if (has('ifsc')) return 'ifsc';
  if (has('amount', 'amt')) return 'amount';
  if (has('account', 'acct', 'acc', 'ac') || /\ba\/c\b/i.test(heading))
    return has('name', 'holder') ? 'name' : has('type', 'bank') ? 'unknown' : 'account';
  if (has('claim', 'claims')) {
    if (isOnly(setOf('claim claims'), numbering)) return 'number';
    return has('type', 'date') ? 'other' : 'unknown';
  }
  if (has('name', 'names', 'username', 'beneficiary', 'payee', 'holder'))
    return has('qr', 'bank') ? 'unknown' : 'name';
  return words.some((word) => irrelevant.has(word)) ? 'other' : 'unknown';
}

/** "UTR" can mean nothing else, unlike "Ref" or "Transaction ID". */
export const isUtr = (heading: string) =>
  wordsOf(heading).some((word) => word === 'utr' || word === 'rrn');

/** "Claim No.", unlike "Claim", which may be the amount. */
export const isOfNumbers = (heading: string) =>
  heading.includes('#') || wordsOf(heading).some((word) => numbering.has(word));
