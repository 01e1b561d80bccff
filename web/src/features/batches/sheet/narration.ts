/*
 * The reference of a payout as a bank or an app prints it: alone, or among the channel, names and remarks of a line.
 * The server does the same (india/narrations.py), and both are tested with the same spellings.
 */

const between = /[\s\-\u2010-\u2015\u2212\u2043\u2796\ufe58\ufe63\uff0d/\u2044\u2215.:*]+/u;
const invisible = /[\ufe00-\ufe0f]|\p{Cf}|\p{Cc}|\p{Me}/gu;
const channels = new Set(['UPI', 'IMPS', 'MMT', 'P2A', 'P2M', 'NEFT', 'RTGS', 'UTR', 'RRN']);
const label = /^(?:UPI|UTR|RRN|IMPS|REFERENCE|REF|TRANSACTION|TXN|NUMBER|NO|ID)+(?=[0-9]{12}$)/;
/** Some statements have a column of sixteen digits. */
const padding = /^0000(?=[0-9]{12}$)/;
const upi = /^[0-9]{12}$/;
/** The references of UPI and IMPS, NEFT, and RTGS. */
const numbered = [
  upi,
  /^(?:[A-Z]{4}[0-9A-Z][0-9]{11}|N[0-9]{15})$/,
  /^[A-Z]{4}R[0-9A-Z][0-9]{16}$/,
];
/** A day, an hour or an amount: no reference has a point or a colon between digits, or slashes and not one letter. */
const measured = /[0-9]\s*[.:]\s*[0-9]/;

const bare = (word: string) => word.replace(label, '').replace(padding, '');
const isNumbered = (word: string) => numbered.some((form) => form.test(word));

/** The reference in its one spelling. Empty if this is a day or an amount, several if it may be any of them. */
export function referencesIn(typed: string): readonly string[] {
  const written = typed.normalize('NFKC').toUpperCase();
  const words = written
    .split(between)
    .map((word) => word.replace(invisible, ''))
    .filter(Boolean);
  const joined = words.join('');
  const whole = bare(joined);
  if (isNumbered(whole)) return [whole];
  const isOfAccounts = words.includes('NEFT') || words.includes('RTGS');
  const [first = '', ...others] = words;
  // More digits after a space may be the rest of a longer number.
  const isFirst = isNumbered(bare(first)) && !others.some((word) => /^\d+$/.test(word));
  if (isFirst || words.some((word) => channels.has(word))) {
    const found = words
      .map(bare)
      .filter((word) => isNumbered(word) && !(isOfAccounts && upi.test(word)));
    if (found.length > 0) return [...new Set(found)];
  }
  const isMeasured =
    measured.test(written) || (/^\d*$/.test(joined) && /[/\u2044\u2215*]/.test(written));
  return isMeasured && /^[0-9A-Z]+$/.test(joined) ? [] : [joined];
}

const labels = /^(?:UPI|UTR|RRN|IMPS|REFERENCE|REF|TRANSACTION|TXN|NUMBER|NO|ID)$/i;

/** Of a line of a statement the reference alone, of other texts what is left beside words such as "Ref No". */
export function withoutLabels(plain: string, reference: string): string {
  if (!isNumbered(reference)) return plain;
  const words = plain.split(between);
  return words.some((word) => channels.has(word.toUpperCase()))
    ? reference
    : words.filter((word) => !labels.test(word)).join(' ');
}
