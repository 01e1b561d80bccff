import { expect, test } from 'vitest';
import { batchClaim } from '../../../../testing/batchServer';
import { type Draw, draws } from '../../../../testing/draws';
import { type BatchClaim, normalised, type Texts } from '../references';
import { matchPasted } from './pasted';

const claims = [1, 2, 3].map((place) => ({
  ...batchClaim(place, ['Asha Rao', 'Bala Iyer', 'Chitra Sen'][place - 1] ?? ''),
  amount: 5_000 + 500 * place,
}));
const all = { c1: 'N111111', c2: 'N222222', c3: 'N333333' };

function paste(text: string, listed: readonly BatchClaim[] = claims) {
  const read = matchPasted(text, {
    claims: listed,
    listed,
    moved: {},
    isFiltered: false,
    sort: undefined,
  });
  return 'refusal' in read
    ? { refusal: read.refusal.join(' '), references: {} as Texts, question: '', doubts: {} }
    : { ...read, refusal: '' };
}

test('a word in the column of references never lets another column take its place', () => {
  for (const word of ['PENDING', 'N/A', '-', '']) {
    const rows = `C-10001\tN111111\tCUST0001\nC-10002\t${word}\tCUST0002\nC-10003\tN333333\tCUST0003`;
    expect(paste(rows).refusal).toContain(
      'These columns may all be bank references: column 2 and column 3.',
    );
    expect(paste(`Claim No.\tUTR\tCustomer ID\n${rows}`).refusal).toMatch(
      /^Line 3(, for C-10002, (has no reference|“.*”: )|: the paste says “PENDING” for C-10002)/,
    );
  }
});

test('a heading that may mean another reference does not outdo a column beside it', () => {
  const rows = 'C-10001\tN111111\tX911111\nC-10002\tN222222\tX922222\nC-10003\tN333333\tX933333';
  for (const [headings, named] of [
    ['Claim No.\tTransaction ID\t', 'Transaction ID and column 3'],
    ['Claim No.\tRef\tयूटीआर', 'Ref and यूटीआर'],
    ['Claim No.\tयूटीआर\tRef', 'यूटीआर and Ref'],
    ['Claim No.\tPayment No\tRemarks', 'Payment No and Remarks'],
    ['Claim No.\tUTR\tRef', 'UTR and Ref'],
    ['Claim No.\t\tCustomer Ref', 'column 2 and Customer Ref'],
  ])
    expect(paste(`${headings}\n${rows}`).refusal).toContain(
      `These columns may all be bank references: ${named}.`,
    );
  expect(paste(`Claim No.\tUTR\tयूटीआर\n${rows}`).references).toEqual(all);
  expect(paste(`Claim No.\tUTR\tCustomer Ref\n${rows}`).references).toEqual(all);
  for (const headings of ['Claim No.\tCustomer Ref', 'Claim No.\tOld UTR', 'Claim No.\tUTR date'])
    expect(paste(`${headings}\n${rows.replace(/\tX\d+/g, '')}`).refusal).toContain(
      'The paste has no column of bank references.',
    );
  expect(paste('Customer ID\nCUST000001\nCUST000002\nCUST000003').refusal).toContain(
    'The column is called Customer ID.',
  );
});

test('a line that names a claim is for that claim or refused', () => {
  const [one] = claims;
  for (const text of ['C10999 N319111', 'C–10999, N319111', 'N319111 C-10999', 'c 10999 N319111'])
    expect(paste(text, [one as BatchClaim]).refusal).toMatch(
      /^Line 1: C.*10999 is not in this sheet/i,
    );
  for (const text of ['C-10999', 'C10999', 'Ｃ－１０９９９'])
    expect(paste(text, [one as BatchClaim]).refusal).toContain('the number of a claim');
  for (const line of ['C10002 N222222', 'N222222 C–10002', 'Ｃ－10002; N222222', 'C-10002-N222222'])
    expect(paste(`${line}\nC-10001 N111111\nC-10003 N333333`).references).toEqual(all);
  expect(
    paste('Claim\tUTR\tNote\nC-10001\tN111111\t\nC-10002\tN222222\t\nC-10003\tN333333\tfor C-10002')
      .refusal,
  ).toBe('Line 4: the line for C-10003 also names C-10002.');
  expect(paste('C10999N319111', [one as BatchClaim]).doubts).toEqual({
    c1: 'This begins like the number of a claim.',
  });
});

test('a name, an amount or a number beside a reference is refused', () => {
  for (const beside of ['Bala Iyer', 'Bala', '7500', '10002', '5672', 'IMPS', '1'])
    for (const line of [
      `${beside} N222222`,
      `${beside}-N222222`,
      `${beside}/N222222`,
      `N222222 ${beside}`,
    ])
      expect(paste(`${line}\nN111111\nN333333`).refusal).toContain(
        `Line 1, for C-10001, “${line}”: This is more than a bank reference.`,
      );
  expect(paste('6319 0234 5671\nN-222222\nN 333333').references).toMatchObject({
    c1: '6319 0234 5671',
  });
});

test('the words of a statement beside a reference are compared with the claim', () => {
  const doubt = (text: string) => paste(text, claims.slice(0, 1)).doubts;
  const rrn = '631902345671';
  for (const line of [
    `IMPS/P2A/${rrn}/ASHA`,
    `UPI-ASHA R-asha@ybl-${rrn}`,
    `UPI Ref No: ${rrn}`,
    rrn,
  ])
    expect(doubt(line)).toEqual({});
  expect(doubt(`IMPS/P2A/${rrn}/BALA IYER/HDFC`)).toEqual({
    c1: 'The line does not name Asha Rao.',
  });
  expect(
    paste(`C-10001\tUPI/${rrn}/ASHA/10002\nC-10002\tN222222\nC-10003\tN333333`).doubts,
  ).toEqual({ c1: 'The line also says 10002, the number of C-10002.' });
  expect(doubt(`UPI ${rrn} 10999`)).toEqual({ c1: 'The line also says 10999. Is it for C-10001?' });
  expect(doubt(`UPI 5500 ${rrn} 10001`)).toEqual({});
  for (const named of ['C10002', 'C/10002', 'C:10002', 'claim 10002', 'Claim no. 10002'])
    expect(paste(`UPI/${rrn}/ASHA/${named}`, claims.slice(0, 1)).refusal).toMatch(
      /10002 is not in this sheet\.$/i,
    );
  for (const word of ['FAILED', 'Returned'])
    expect(paste(`UPI/${word}/${rrn}`, claims.slice(0, 1)).refusal).toContain(
      `says “UPI/${word}/${rrn}” for C-10001, not that it was paid.`,
    );
});

test('amounts are not taken for claim numbers', () => {
  const swapped = [
    { ...batchClaim(400, 'Asha Rao'), amount: 10_500 },
    { ...batchClaim(500, 'Bala Iyer'), amount: 10_400 },
  ];
  const rows = '10400\tN111111\n10500\tN222222';
  expect(paste(rows, swapped).refusal).toContain('Digits without C- need the heading Claim No.');
  expect(paste(`Claim\tUTR\n${rows}`, swapped).refusal).toContain(
    'Line 2: 10400 may be an amount. Write C-10400,',
  );
  expect(paste(`Claim No.\tUTR\n${rows}`, swapped).references).toEqual({
    c400: 'N111111',
    c500: 'N222222',
  });
});

test('a line of a payment that has not arrived is refused', () => {
  const rows = (status: string) =>
    `C-10001\tN111111\tSuccess\nC-10002\tN222222\t${status}\nC-10003\tN333333\tPAID`;
  const headings = ['Claim No.\tUTR\tStatus\n', 'Claim No.\tUTR\tTxn Result\n', ''];
  for (const heading of headings) {
    for (const status of [
      'Failed',
      'REJECTED',
      'Returned',
      'Pending',
      'Not paid',
      'Paid, reversed',
    ])
      expect(paste(heading + rows(status)).refusal).toContain(
        `: the paste says “${status}” for C-10002, not that it was paid.`,
      );
    for (const status of ['Under review', 'Sent to bank', '', 'U30'])
      expect(paste(heading + rows(status)).refusal).toContain('for C-10002, not that it was paid.');
    for (const status of ['Success', 'Transaction successful', 'Accepted', 'Credited'])
      expect(paste(heading + rows(status)).references).toEqual(all);
  }
  expect(paste(`Claim No.\tUTR\tRemarks\n${rows('Account closed: returned')}`).refusal).toContain(
    'the paste says “Account closed: returned”',
  );
});

test('of a masked account at least four digits are compared', () => {
  const masked = (end: string) => `Account No\tAmount\tUTR\n••••${end}\t5500\tN111111`;
  const [one] = claims as [BatchClaim];
  expect(paste(masked('5671'), [one]).references).toEqual({ c1: 'N111111' });
  expect(paste(masked('671'), [one]).refusal).toContain('no claim of this sheet');
});

test('a code of a few digits is asked about', () => {
  expect(paste('C-10001\tCUST0001\nC-10002\tCUST0002\nC-10003\tCUST0003')).toMatchObject({
    question: expect.stringContaining('3 rows of the paste need a look'),
    doubts: { c1: expect.stringContaining('Bank references have more digits') },
  });
});

interface Row {
  claim: BatchClaim;
  utr: string;
  status: string;
}
const cellOf: Record<string, (row: Row, draw: Draw) => string> = {
  number: ({ claim: { number } }, { oneOf }) =>
    oneOf([number, number.replace('-', ''), number.replace('-', ' – ')]),
  digits: ({ claim: { number } }) => number.slice(2),
  amount: ({ claim: { amount } }, { oneOf }) => oneOf([`${amount}`, `₹${amount.toFixed(2)}`]),
  account: ({ claim: { accountNo } }, { oneOf }) => oneOf([accountNo, accountNo.slice(2)]),
  name: ({ claim: { username } }) => username,
  ifsc: ({ claim: { ifsc } }) => ifsc,
  serial: ({ claim: { _id } }) => _id.slice(1),
  customer: ({ claim: { _id } }) => `CUST000${_id.slice(1)}`,
  mobile: ({ claim: { _id } }) => `987654321${_id.slice(-1)}`,
  status: ({ status }) => status,
  utr: ({ utr }) => utr,
};
const headingsOf: Record<string, readonly string[]> = {
  number: ['Claim No.', 'Claim', ''],
  digits: ['Claim No.', 'Claim', ''],
  amount: ['Amount', 'Claim', ''],
  account: ['Account No', 'A/c', ''],
  name: ['Name', ''],
  ifsc: ['IFSC', ''],
  serial: ['Sr', ''],
  customer: ['Customer ID', 'Batch', 'Customer Ref', ''],
  mobile: ['Mobile', ''],
  status: ['Status', 'Payment Status', ''],
  utr: ['UTR', 'Bank ref', 'Transaction ID', 'यूटीआर', ''],
};

test.each([0, 1, 2, 3])(
  'no claim gets a text that is not its own reference, in any shape of lines (%s)',
  (part) => {
    let read = 0;
    for (let seed = 1 + part; seed <= 2_000; seed += 4) {
      const draw = draws(seed);
      const { below, isLikely, oneOf, shuffled } = draw;
      const count = 1 + below(4);
      // Amounts that are the numbers of other claims are the worst case.
      const listed = Array.from({ length: count }, (_, place) => ({
        ...batchClaim(place, ['Asha Rao', 'Bala Iyer', 'Chitra Sen', 'Dev'][place] ?? ''),
        amount: oneOf([500, 1_000, 250.5, 10_000 + ((place + 1) % count)]),
      }));
      const rows = listed.map((claim, place) => ({
        claim,
        utr: `${oneOf(['N3192600', 'HDFCR52026', '63201230'])}${4_000 + 7 * below(500) + place}`,
        status: 'Success',
      }));
      const bad = isLikely(0.2) ? rows[below(count)] : undefined;
      const isFailed = bad && isLikely(0.5);
      if (isFailed) bad.status = oneOf(['Failed', 'Pending', 'Under review']);
      else if (bad) bad.utr = oneOf(['PENDING', '-', 'N/A', '']);
      const columns = shuffled(
        Object.keys(cellOf).filter(
          (name) => name === 'utr' || (isFailed && name === 'status') || isLikely(0.2),
        ),
      );
      const separator = oneOf(['\t', '\t', ' ', ', ']);
      const lines = shuffled(rows).map((row) =>
        columns.map((name) => cellOf[name]?.(row, draw)).join(separator),
      );
      if (isLikely(0.5))
        lines.unshift(columns.map((name) => oneOf(headingsOf[name] ?? [])).join(separator));
      const text = lines.join('\n');
      const pasted = paste(text, listed);
      if (pasted.refusal) continue;
      read += 1;
      const isByOrder = columns.length === 1 && pasted.question !== '';
      const isRight = rows.every(
        ({ claim, utr }) => normalised(pasted.references[claim._id] ?? '') === utr,
      );
      if (bad || !(isRight || isByOrder)) expect.fail(`${text}\n${JSON.stringify(pasted)}`);
    }
    expect(read).toBeGreaterThan(50);
  },
);
