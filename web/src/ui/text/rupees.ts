const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const counts = new Intl.NumberFormat('en-IN');

/** With a true minus sign, which is as wide as the digits. */
export const formatRupees = (amount: number) => rupees.format(amount).replace('-', '−');
/** Omits the paise of whole rupees. */
export const shortRupees = (amount: number) => formatRupees(amount).replace(/\.00$/, '');
export const formatCount = (count: number) => counts.format(count);

/** "1 claim", "2,345 claims". */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Adds whole paise: adding fractions of rupees accumulates rounding errors over a long list. */
export function sumRupees<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  let paise = 0;
  for (const row of rows) paise += Math.round(amountOf(row) * 100);
  return paise / 100;
}
