import type { BatchClaim } from '../references';
import type { Table } from './cells';
import { isUtr, type Role, roleOf } from './headings';
import { namesIn } from './names';
import { isPaidStatus } from './statuses';
import {
  accountKey,
  hasBankForm,
  ifscPattern,
  isClaimNumber,
  mayBeReference,
  mobilePattern,
  numberKey,
  paiseOf,
} from './values';

export type Columns = Readonly<Record<Role, readonly number[]>>;

const roleNames = Object.keys({
  number: 0,
  reference: 0,
  amount: 0,
  account: 0,
  ifsc: 0,
  name: 0,
  status: 0,
  other: 0,
} satisfies Record<Role, 0>) as Role[];

/** Which columns say what: by their headings or, where these say nothing, by comparing them with the claims. */
export function columnsOf(
  { headings, lines, columns }: Table,
  claims: readonly BatchClaim[],
): Columns {
  const roles = new Map(columns.map((column) => [column, roleOf(headings[column] ?? '')]));
  const of = (...wanted: ReturnType<typeof roleOf>[]) =>
    columns.filter((column) => wanted.includes(roles.get(column)));
  const filled = (column: number) =>
    lines.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');
  const isAll = (column: number, is: (cell: string) => boolean) => filled(column).every(is);
  const give = (role: Role, to: readonly number[]) => {
    for (const column of to) roles.set(column, role);
  };
  /** A heading that is not understood may still be above amounts or accounts, but says that these are no references. */
  const open = (role: Role) => (role === 'number' ? of(undefined) : of(undefined, 'unknown'));
  const infer = (role: Role, is: (cell: string) => boolean) => {
    if (of(role).length === 0)
      give(
        role,
        open(role).filter((column) => isAll(column, is)),
      );
  };
  /** The column of which most cells, and at least half, are in the sheet. */
  const inferKnown = (role: Role, isKnown: (cell: string) => boolean) => {
    if (of(role).length > 0) return;
    const hits = open(role).map((column) => {
      const cells = filled(column);
      return [column, cells.filter(isKnown).length, cells.length] as const;
    });
    const most = Math.max(1, ...hits.map(([, hit]) => hit));
    give(
      role,
      hits.filter(([, hit, all]) => hit === most && 2 * hit >= all).map(([column]) => column),
    );
  };
  const among = (keyIn: (cell: string) => string, keyOf: (claim: BatchClaim) => string) => {
    const known = new Set(claims.map(keyOf));
    return (cell: string) => known.has(keyIn(cell));
  };

  // Digits alone may be amounts, which can be equal to the numbers of claims.
  inferKnown(
    'number',
    among(
      (cell) => (isClaimNumber(cell) ? numberKey(cell) : ''),
      ({ number }) => numberKey(number),
    ),
  );
  infer('number', isClaimNumber);
  infer('ifsc', (cell) => ifscPattern.test(cell));
  give(
    'other',
    of(undefined).filter((column) => isAll(column, (cell) => moment.test(cell))),
  );
  inferKnown(
    'account',
    among(accountKey, ({ accountNo }) => accountKey(accountNo)),
  );
  inferKnown(
    'amount',
    among(
      (cell) => String(paiseOf(cell)),
      ({ amount }) => String(Math.round(amount * 100)),
    ),
  );
  const isSum = (cell: string) => isMoney.test(cell) && paiseOf(cell) !== undefined;
  infer('amount', isSum);
  give(
    'other',
    of(undefined).filter((column) => isAll(column, isSum)),
  );
  inferKnown('name', namesIn(claims).mayBeIn);
  give(
    'status',
    of(undefined).filter(
      (column) => filled(column).some(isPaidStatus) && !filled(column).some(mayBeReference),
    ),
  );
  give('reference', referencesOf());
  give('other', of(undefined, 'unknown'));
  return Object.fromEntries(roleNames.map((role) => [role, of(role)])) as unknown as Columns;

  /** All that may be the references, so that a word in one of them never lets another column take its place. */
  function referencesOf(): readonly number[] {
    const headed = of('reference');
    if (headed.some((column) => isUtr(headings[column] ?? ''))) return headed;
    const alike = of(undefined, 'unknown').filter((column) => filled(column).some(mayBeReference));
    const likely = [...headed, ...alike];
    const certain = likely.filter((column) => isAll(column, hasBankForm));
    const mobiles = alike.filter((column) => isAll(column, (cell) => mobilePattern.test(cell)));
    const found =
      certain.length > 0 ? likely.filter((column) => !mobiles.includes(column)) : likely;
    if (found.length > 0) {
      const isNamedOtherwise = found.every((column) => roles.get(column) === 'unknown');
      return isNamedOtherwise ? [] : found;
    }
    // The lines say what is wrong with the only one that is left.
    return of(undefined);
  }
}

const isMoney = /₹|\brs\b|\binr\b|,|\.\d{1,2}$/i;
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const moment = new RegExp(
  `^(?:(?:\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|\\d{1,2}[- ]${month}[-, ]+\\d{2,4}|${month} \\d{1,2},? \\d{2,4})(?:[T, ].*)?|\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]m)?)$`,
  'i',
);
