import { type BatchClaim, flawOf } from '../references';
import { type Table, wordsOf } from './cells';
import { accountKey, ifscPattern, mobilePattern, nameKey, numberKey, paiseOf } from './values';

/** What a column of a paste says about the claims. */
export type Role = 'number' | 'reference' | 'amount' | 'account' | 'ifsc' | 'name' | 'other';
export type Columns = Readonly<Record<Role, readonly number[]>>;

/** Which columns say what: by their headings or, where these say nothing, by comparing them with the claims. */
export function columnsOf(
  { headings, lines, columns }: Table,
  claims: readonly BatchClaim[],
): Columns {
  const roles = new Map(columns.map((column) => [column, roleOf(headings[column] ?? '')]));
  const of = (role?: Role) => columns.filter((column) => roles.get(column) === role);
  const filled = (column: number) =>
    lines.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');
  const isAll = (column: number, is: (cell: string) => boolean) => filled(column).every(is);
  const give = (role: Role, to: readonly number[]) => {
    for (const column of to) roles.set(column, role);
  };
  const infer = (role: Role, is: (cell: string) => boolean) => {
    if (of(role).length === 0)
      give(
        role,
        of().filter((column) => isAll(column, is)),
      );
  };
  /** The column of which most cells, and at least half, are in the sheet. */
  const inferKnown = (role: Role, keyIn: (cell: string) => string, known: ReadonlySet<string>) => {
    if (of(role).length > 0) return;
    const hits = of().map((column) => {
      const cells = filled(column);
      return [column, cells.filter((cell) => known.has(keyIn(cell))).length, cells.length] as const;
    });
    const most = Math.max(1, ...hits.map(([, hit]) => hit));
    give(
      role,
      hits.filter(([, hit, all]) => hit === most && 2 * hit >= all).map(([column]) => column),
    );
  };
  const keys = (keyOf: (claim: BatchClaim) => string) => new Set(claims.map(keyOf));

  inferKnown(
    'number',
    numberKey,
    keys(({ number }) => numberKey(number)),
  );
  infer('number', (cell) => /^C-?\d+$/i.test(cell));
  infer('ifsc', (cell) => ifscPattern.test(cell));
  infer('other', (cell) => day.test(cell));
  inferKnown(
    'account',
    accountKey,
    keys(({ accountNo }) => accountKey(accountNo)),
  );
  inferKnown(
    'amount',
    (cell) => String(paiseOf(cell)),
    keys(({ amount }) => String(Math.round(amount * 100))),
  );
  infer('amount', (cell) => isMoney.test(cell) && paiseOf(cell) !== undefined);
  inferKnown(
    'name',
    nameKey,
    keys(({ username }) => nameKey(username)),
  );
  if (of('reference').length === 0) {
    const rest = of();
    const sound = rest.filter((column) => isAll(column, (cell) => !flawOf(cell)));
    const likely = sound.filter((column) => !isAll(column, (cell) => mobilePattern.test(cell)));
    // If none is sound, the lines say what is wrong with the only one that is left.
    give('reference', [likely, sound, rest].find(({ length }) => length > 0) ?? []);
  }
  const all: Role[] = ['number', 'reference', 'amount', 'account', 'ifsc', 'name', 'other'];
  return Object.fromEntries(all.map((role) => [role, of(role)])) as unknown as Columns;
}

const isMoney = /₹|\brs\b|\binr\b|,|\.\d{1,2}$/i;
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const day = new RegExp(
  `^(?:\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|\\d{1,2}[- ]${month}[-, ]+\\d{2,4}|${month} \\d{1,2},? \\d{2,4})(?:[T, ].*)?$`,
  'i',
);

function roleOf(heading: string): Role | undefined {
  const words = wordsOf(heading);
  const has = (...some: string[]) => some.some((word) => words.includes(word));
  if (words.length === 0) return undefined;
  if (has('utr', 'rrn', 'ref', 'refs', 'reference', 'references')) return 'reference';
  if (has('transaction', 'txn', 'payment') && has('id', 'no', 'number')) return 'reference';
  if (has('ifsc')) return 'ifsc';
  if (has('amount', 'amt')) return 'amount';
  if (has('account', 'acct', 'acc', 'ac') || /\ba\/c\b/i.test(heading))
    return has('name', 'holder') ? 'name' : has('type', 'bank') ? 'other' : 'account';
  if (has('claim', 'claims')) return has('type', 'status', 'date') ? 'other' : 'number';
  if (has('name', 'names', 'username', 'beneficiary', 'payee'))
    return has('qr', 'bank') ? 'other' : 'name';
  return words.some((word) => ignored.has(word)) ? 'other' : undefined;
}

const ignored = new Set(
  (
    'action address bank branch client created date id income invest mobile phone qr remark remarks note notes s serial ' +
    'since sl sr status time'
  ).split(' '),
);
