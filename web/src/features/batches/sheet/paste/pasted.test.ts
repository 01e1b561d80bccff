import { expect, test } from 'vitest';
import { batchClaim } from '../../../../testing/batchServer';
import { type BatchClaim, findFlaws } from '../references';
import { matchPasted, type PasteTarget } from './pasted';

const claims = [1, 2, 3].map((place) => ({
  ...batchClaim(place, ['Asha Rao', 'Bala Iyer', 'Chitra Sen'][place - 1] ?? ''),
  amount: 123_456 + place,
}));
const [one, two, three] = claims as [BatchClaim, BatchClaim, BatchClaim];
const all = { c1: 'N111111', c2: 'N222222', c3: 'N333333' };

const target = (change: Partial<PasteTarget> = {}): PasteTarget => ({
  claims,
  listed: claims,
  moved: {},
  isFiltered: false,
  sort: undefined,
  ...change,
});
function paste(text: string, change?: Partial<PasteTarget>) {
  const read = matchPasted(text, target(change));
  return 'refusal' in read
    ? { refusal: read.refusal.join(' '), references: {}, doubts: {}, question: '' }
    : { ...read, refusal: '' };
}

test('one column is read in the order of the list, which the question names', () => {
  for (const [text, line] of [
    ['N111111\nN222222\nN333333\n', 1],
    ['UTR\r\nN111111\r\nN222222\r\nN333333\r\n', 2],
  ] as const) {
    const { references, question } = paste(text);
    expect(references).toEqual(all);
    expect(question).toContain(
      `Line ${line} is taken for C-10001, the first row: the order of the list, newest first.`,
    );
  }
  expect(paste('N111111\nN222222\nN333333', { sort: '-amount' }).question).toContain(
    'by amount, largest first',
  );
  expect(paste('N111111', { claims: [one], listed: [one] }).question).toBe('');
});

test('a narration is read as the reference in it, and beside a column of references one has a heading', () => {
  const narration = (place: number) => `UPI/P2A/41234567890${place}/RAHUL NAIR/Axis Bank`;
  const rows = [1, 2, 3].map((place) => [
    `C-1000${place}`,
    narration(place),
    `41234567890${place}`,
  ]);
  const all = rows.map((cells) => cells.join('\t')).join('\n');
  expect(paste(all).refusal).toContain('These columns may all be bank references');
  expect(paste(`Claim No.\tNarration\tUTR\n${all}`).references).toEqual({
    c1: '412345678901',
    c2: '412345678902',
    c3: '412345678903',
  });
  const narrated = paste(rows.map(([number, text]) => `${number}\t${text}`).join('\n'));
  expect(narrated.references).toEqual({ c1: narration(1), c2: narration(2), c3: narration(3) });
  const twice = paste(`C-10001\t${narration(1)}\nC-10002\t412345678901\nC-10003\tN333333`);
  expect(twice.refusal).toContain('Lines 1 and 2 have the same reference');
});

test('one column is refused if its count is not that of the sheet, or a filter is on', () => {
  for (const text of ['N111111', 'N111111\nN222222\nN333333\nN444444'])
    expect(paste(text).refusal).toContain('and this sheet has 3 claims.');
  expect(paste('N111111\nN222222\nN333333', { listed: [one, three] }).refusal).toContain(
    '1 claim was removed from it.',
  );
  expect(paste('N111111\nN222222', { moved: { c1: 'Paid' } }).refusal).toContain(
    '1 of them changed meanwhile and keeps its row.',
  );
  expect(paste('N111111\nN222222\nN333333', { isFiltered: true }).refusal).toContain(
    'A filter is on.',
  );
  expect(paste('N111111\n\nN333333').refusal).toBe('Line 2, for C-10002, has no reference.');
  expect(paste(' \n\t\n').refusal).toBe('The paste was empty.');
});

test('rows that name and amount do not tell apart are pointed out', () => {
  const twin = { ...two, username: 'ASHA  Rao', amount: one.amount };
  const listed = [one, twin, three];
  expect(paste('N111111\nN222222\nN333333', { claims: listed, listed }).doubts).toEqual({
    c1: 'C-10002 has the same name and amount.',
    c2: 'C-10001 has the same name and amount.',
  });
});

test('a word in place of a reference is no heading: the paste is refused', () => {
  for (const word of ['N/A', '-', 'pending', 'failed', 'same as above', 'Paid'])
    expect(paste(`${word}\nN222222\nN333333`).refusal).toMatch(
      new RegExp(`^Line 1(, for C-10001, “${word}”: |: the paste says “${word}” for C-10001)`),
    );
});

test('two columns are matched by claim number, in any order of lines and columns', () => {
  for (const text of [
    'Claim\tReference\nC-10003\tN333333\nC-10001\tN111111\nc-10002\tN222222',
    'UTR\tClaim No.\nN333333\t10003\nN111111\t10001\nN222222\t10002',
    'N333333\tC-10003\nN111111\t10001\nN222222\tＣ－１０００２',
    'C-10003, N333333\nC10001 N111111\nc–10002: N222222',
    'UTR\nN333333 C-10003\nN111111 | C-10001\nC 10002-N222222',
  ]) {
    const { references, question } = paste(text);
    expect(Object.values(references).sort().join()).toMatch(/^.111111,.222222,.333333$/);
    expect(references).toMatchObject({ c3: expect.stringMatching('333333') });
    expect(question).toBe('');
  }
});

test('what Copy writes, and spreadsheets make of it, is read back with its references', () => {
  const heading =
    'Date\tClaim No.\tUser Name\tMobile\tInvest\tAmount\tAccount No\tIFSC\tAddress\tStatus\t';
  const line = (number: string, name: string, amount: string, account: string, reference: string) =>
    `16 Nov 2026\t${number}\t${name}\t9805756092\t₹5,000.00\t${amount}\t${account}\tHDFC0001234\t14 MG Road\tAccepted\t${reference}`;
  const lines = [
    line('C-10002', 'Bala Iyer', '123458', "'004512345672", 'N222222'),
    line('C-10001', '"Asha\nRao"', '₹1,23,457.00', '="004512345671"', 'N111111'),
    line('C-10003', 'Chitra Sen', 'Rs. 1,23,459', '4512345673', 'N333333'),
  ];
  for (const text of [
    [`${heading}UTR`, ...lines],
    [heading, ...lines],
  ])
    expect(paste(text.join('\n'))).toMatchObject({ references: all, question: '', refusal: '' });
  // Without headings, only the form of the references tells them from the mobile numbers.
  expect(paste(lines.join('\n')).refusal).toContain(
    'These columns may all be bank references: column 4 and column 11.',
  );
  const inBankForm = lines.join('\n').replace(/N(\d{6})/g, 'SBIN426320$1');
  expect(paste(inBankForm)).toMatchObject({ references: { c1: 'SBIN426320111111' }, refusal: '' });
});

test('amounts, accounts, IFSCs and claim numbers that disagree are refused, with their place', () => {
  const table = (rows: string[]) =>
    ['Claim No.\tAmount\tAccount No\tIFSC\tUTR', ...rows].join('\n');
  const good = claims.map(
    ({ number, amount, accountNo, ifsc, _id }, place) =>
      `${number}\t${amount}\t${accountNo}\t${ifsc}\t${Object.values(all)[place]}${_id ? '' : ''}`,
  );
  expect(paste(table(good)).references).toEqual(all);
  const bad = (from: string, to: string) =>
    paste(table(good.map((row) => row.replace(from, to)))).refusal;
  expect(bad('123458', '₹1,23,459.00')).toBe(
    'Line 3: C-10002 is over ₹1,23,458.00, and the paste says ₹1,23,459.00.',
  );
  expect(bad('123458', 'soon')).toContain('and the paste says soon.');
  expect(bad('004512345672', '004512345673')).toBe(
    'Line 3: C-10002 goes to the account 004512345672, and the paste says 004512345673.',
  );
  expect(bad('004512345672', '4.51235E+09')).toContain('that the spreadsheet shortened');
  expect(bad('HDFC0001234', 'SBIN0001234')).toContain('Line 2: C-10001 has the IFSC HDFC0001234');
  expect(bad('C-10002', 'C-77777')).toBe('Line 3: C-77777 is not in this sheet.');
  expect(bad('C-10002', '')).toBe('Line 3: the claim number is missing.');
  expect(bad('C-10002', 'C-10001')).toBe('Lines 2 and 3 are both for C-10001.');
  expect(paste(table(good), { listed: [one, three] }).refusal).toBe(
    'Line 3: C-10002 was removed from this sheet.',
  );
  expect(paste(table(good.slice(0, 2))).refusal).toContain('has no line for C-10003.');
  expect(paste(table(good.slice(0, 2)), { moved: { c3: 'Paid' } }).refusal).toBe('');
});

test('names are compared, and another spelling is asked about', () => {
  const named =
    'C-10001\tASHA  RAO\tN111111\nC-10002\tBala Nair\tN222222\nC-10003\tChitra Sen\tN333333';
  expect(paste(named)).toMatchObject({
    references: all,
    doubts: { c2: 'The paste says “Bala Nair”.' },
    question: expect.stringContaining('1 row of the paste needs a look'),
  });
});

test('without claim numbers, account and amount must belong to one claim', () => {
  const line = ({ accountNo, amount }: BatchClaim, reference: string) =>
    `${accountNo}\t${amount}\t${reference}`;
  const text = [line(two, 'N222222'), line(three, 'N333333'), line(one, 'N111111')].join('\n');
  expect(paste(text)).toMatchObject({ references: all, question: '' });
  const twin = { ...two, accountNo: one.accountNo, amount: one.amount };
  const listed = [one, twin, three];
  expect(
    paste(text.replace(two.accountNo, one.accountNo), { claims: listed, listed }).refusal,
  ).toContain('C-10001 and C-10002 have the same account and amount.');
  expect(paste(text.replace('123458', '123450')).refusal).toContain('no claim of this sheet');
  expect(paste('Asha Rao\tN111111\nBala Iyer\tN222222\nChitra Sen\tN333333').refusal).toContain(
    'The paste has no claim numbers, such as C-10482.',
  );
});

test('two columns that may both be the references are refused, until one has a heading', () => {
  const rows = 'C-10001\tN111111\tX911111\nC-10002\tN222222\tX922222\nC-10003\tN333333\tX933333';
  expect(paste(rows).refusal).toContain('These columns may all be bank references');
  expect(paste(`Claim\tUTR\tBatch\n${rows}`).references).toEqual(all);
});

test('a reference that is repeated, or a value of the sheet, is refused', () => {
  const third = (reference: string) => paste(`N111111\nN222222\n${reference}`).refusal;
  expect(third('n-111111')).toBe('Lines 1 and 3 have the same reference, N111111.');
  expect(third('C-10002')).toContain('the number of a claim');
  expect(third("'004512345672")).toContain('the account number of C-10002');
  expect(third('4512345672')).toContain('the account number of C-10002');
  expect(third('123458')).toContain('the amount of C-10002');
  expect(third('HDFC0001234')).toContain('an IFSC of this sheet');
  expect(third('6.31902E+11')).toContain('shortened this number');
});

test('a reference that looks like a mobile number, an account or an IFSC is asked about', () => {
  const doubt = (reference: string) =>
    paste(`C-10001\t${reference}\nC-10002\tN222222\nC-10003\tN333333`).doubts;
  expect(doubt('9805756092')).toEqual({ c1: 'This looks like a mobile number.' });
  expect(doubt('SBIN0001234')).toEqual({ c1: 'This looks like an IFSC.' });
  expect(doubt('50100098761234')).toEqual({ c1: expect.stringContaining('an account number') });
  expect(doubt('631902345671')).toEqual({});
});

test('malformed, repeated and missing references are reported at their claim', () => {
  expect(findFlaws(claims, { c1: 'n111111', c2: 'N-111111' })).toEqual({
    c1: 'Also entered for C-10002.',
    c2: 'Also entered for C-10001.',
  });
  expect(findFlaws(claims, { c1: '6.31902E+11' }).c1).toContain('shortened this number');
  expect(findFlaws(claims, { c1: 'N12' }).c1).toContain('6 to 40 letters and digits');
  expect(findFlaws(claims, { c1: 'ABCDEFGH' }).c1).toContain('not a bank reference');
  expect(findFlaws(claims, { c1: 'C-10002 N222222' }).c1).toContain('names the claim C-10002');
  expect(findFlaws(claims, { c1: 'N1', c2: 'N222222' }, 'Enter it.')).toMatchObject({
    c3: 'Enter it.',
  });
  expect(findFlaws(claims, { c1: 'N111111' })).toEqual({});
});
