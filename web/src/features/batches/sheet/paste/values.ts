import { isMasked } from '../../../../ui/text/MaskedNumber';

/** The text as it is compared: full-width letters, the many dashes and invisible characters are plain ones. */
export const plainText = (typed: string) =>
  (/^[ -~]*$/.test(typed) ? typed : withoutVariants(typed)).replace(/ +/g, ' ').trim();

const withoutVariants = (typed: string) =>
  typed
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212\u2043\u2796]/g, '-')
    .replace(/\p{Cf}|\p{Cc}|\p{Me}|[\ufe00-\ufe0f]/gu, (invisible) =>
      /\s/.test(invisible) ? ' ' : '',
    )
    .replace(/\s/g, ' ');

/** "C-10482", "c10482", "C – 10482", "C/10482", "Claim no. 10482". Longer numbers after a C are references. */
const between = '[ ./:#-]{0,3}';
const claimNumber = `(?:C${between}\\p{Nd}{1,7}|claim(?: no| number)?${between}\\p{Nd}{4,7})`;
const wholeClaimNumber = new RegExp(`^${claimNumber}$`, 'iu');
const claimNumberWord = new RegExp(`(?<![\\p{L}\\p{N}])${claimNumber}(?![\\p{L}\\p{N}])`, 'giu');

export const isClaimNumber = (cell: string) => wholeClaimNumber.test(plainText(cell));

/** What reads as the number of a claim, in the order of the text. */
export const claimNumbersIn = (plain: string) => [...plain.matchAll(claimNumberWord)];

/** The digits of a claim number: "C-10482", "c10482" and "10482" are the same. Empty if it is none. */
export const numberKey = (cell: string) =>
  /^(?:(?:C|claim(?: no| number)?)[ ./:#-]{0,3})?0*(\d{1,15})$/i.exec(plainText(cell))?.[1] ?? '';

/** In paise; undefined if it is not an amount. */
export function paiseOf(cell: string): number | undefined {
  const plain = cell
    .normalize('NFKC')
    .replace(/₹|\b(?:rs\.?|inr)|\/-$|\s/gi, '')
    .trim();
  const [, whole = '', part = ''] = /^(\d+(?:,\d{2,3})*)(?:\.(\d{1,2}))?$/.exec(plain) ?? [];
  return whole ? Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0')) : undefined;
}

/** Spreadsheets drop the leading zeros of a number. */
export const accountKey = (account: string) =>
  account
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/^0+(?=.)/, '');

/** Of a masked number only its end can be compared, and of a short one nothing. */
export function isSameAccount(one: string, other: string): boolean {
  if (!isMasked(one) && !isMasked(other)) return accountKey(one) === accountKey(other);
  const [shorter = '', longer = ''] = [one, other]
    .map((account) => accountKey(account.replace(/^.*•/, '')))
    .sort((a, b) => a.length - b.length);
  return longer.endsWith(shorter);
}

export const nameKey = (name: string) =>
  name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** A long number as a spreadsheet shows it: its last digits are lost. */
export const isShortened = (cell: string) => /^\d(\.\d+)?E\+\d+$/i.test(cell.trim());

export const mobilePattern = /^(?:\+91[ -]?|0)?[6-9]\d{9}$/;
export const ifscPattern = /^[A-Z]{4}0[A-Z0-9]{6}$/i;

/** UPI and IMPS, then NEFT, then RTGS. */
const bankForms = /^(?:\d{12}|N\d{15}|[A-Z]{4}[0-9A-Z]\d{11}|[A-Z]{4}R[0-9A-Z]\d{16})$/;
export const hasBankForm = (cell: string) => bankForms.test(plainText(cell).toUpperCase());

/** Whether a column with this cell may be the references, also with labels and slashes: rather too often. */
export function mayBeReference(cell: string): boolean {
  const characters = plainText(cell).replace(/[^\p{L}\p{Nd}]/gu, '');
  return characters.length >= 6 && characters.replace(/\P{Nd}/gu, '').length >= 4;
}

/** More than one word. Twelve digits in groups of up to four are one, and a single letter belongs to its number. */
export function isSeveralWords(plain: string): boolean {
  const parts = plain.split(/[\s\-/\u2044\u2215.:*]+/).filter(Boolean);
  if (parts.some((part) => part.length > 1 && !/\d/.test(part))) return parts.length > 1;
  const numbered = parts.filter((part) => /\d/.test(part));
  const [first = ''] = parts;
  const isGrouped =
    /^\d{12}$/.test(parts.join('')) &&
    parts.every(({ length }) => length === first.length && length <= 4);
  return numbered.length > 1 && !isGrouped;
}
