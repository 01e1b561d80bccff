import { isMasked } from '../../../../ui/text/MaskedNumber';

/** The digits of a claim number: "C-10482", "c10482" and "10482" are the same. Empty if it is none. */
export const numberKey = (cell: string) => /^(?:C-?)?0*(\d{1,15})$/i.exec(cell.trim())?.[1] ?? '';

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
