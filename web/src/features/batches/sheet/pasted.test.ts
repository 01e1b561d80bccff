import { expect, test } from 'vitest';
import { matchPasted } from './pasted';
import { type BatchClaim, findFlaws } from './references';

const claims = [10001, 10002, 10003].map(
  (number) => ({ _id: `c${number}`, number: `C-${number}` }) as BatchClaim,
);
const paste = (text: string, start = 0) => matchPasted(text, claims, claims, start);
const noLine = 'No line was pasted for this claim.';

test('one column fills the claims in view in their order, and a heading is left out', () => {
  const expected = { c10001: 'N111111', c10002: 'N222222', c10003: 'N333333' };
  for (const text of ['N111111\nN222222\nN333333\n', 'UTR\r\nN111111\r\nN222222\r\nN333333\r\n'])
    expect(paste(text)).toEqual({ references: expected, flaws: {}, trouble: '' });
  const [first, second, third] = claims as [BatchClaim, BatchClaim, BatchClaim];
  expect(matchPasted('N111111\nN222222', claims, [third, second]).references).toEqual({
    c10003: 'N111111',
    c10002: 'N222222',
  });
  expect(matchPasted('N222222', claims, [first, second], 1)).toEqual({
    references: { c10002: 'N222222' },
    flaws: {},
    trouble: '',
  });
});

test('a word in place of a reference is no heading: it belongs to its claim', () => {
  for (const word of ['N/A', '-', 'pending', 'failed', 'same as above']) {
    const { references } = paste(`${word}\nN222222\nN333333`);
    expect(references).toEqual({ c10001: word, c10002: 'N222222', c10003: 'N333333' });
    expect(Object.keys(findFlaws(claims, references))).toEqual(['c10001']);
  }
  for (const heading of ['UTR No.', 'Bank reference (UTR)', 'Claim number\tTransaction ID'])
    expect(paste(`${heading}\nC-10001\tN111111`).references).toEqual({ c10001: 'N111111' });
});

test('the number of a claim is not a bank reference', () => {
  const { references } = paste('C-10001\nC-10002\nC-10003');
  expect(Object.keys(findFlaws(claims, references))).toHaveLength(3);
  expect(findFlaws(claims, { c10001: 'c 10002' }).c10001).toContain('the number of a claim');
});

test('too few, too many and empty lines are reported at their claim', () => {
  expect(paste('N111111').flaws).toEqual({ c10002: noLine, c10003: noLine });
  expect(paste('1\n2\n3\n4\n5').flaws).toEqual({
    c10003: '2 more lines pasted than there are claims.',
  });
  expect(paste('N111111\n\nN333333').flaws).toEqual({
    c10002: 'The line for this claim was empty.',
  });
});

test('two columns are matched by claim number, in any order of lines and columns', () => {
  const expected = { c10003: 'N333333', c10001: '631902345671', c10002: 'N222222' };
  for (const text of [
    'Claim\tReference\nC-10003\tN333333\nC-10001\t631902345671\nc-10002\tN222222',
    'N333333\t10003\n631902345671\t10001\nN222222\t10002',
    'C-10003, N333333\nC-10001 631902345671\nC-10002: N222222',
  ])
    expect(paste(text)).toEqual({ references: expected, flaws: {}, trouble: '' });
});

test('claim numbers that are missing, repeated or not in the batch are reported', () => {
  const pasted = paste('C-10001\tN111111\nC-10001\tN999999\nC-77777\tN333333');
  expect(pasted).toEqual({
    references: { c10001: 'N111111' },
    flaws: {
      c10001: 'Two of the pasted lines name this claim.',
      c10002: noLine,
      c10003: noLine,
    },
    trouble: 'C-77777 is not in this batch.',
  });
  expect(paste('Asha\tN111111\nBala\tN222222').references).toEqual({});
  expect(paste('C-10001\tAsha\tN111111').trouble).toContain('Paste one column');
});

test('malformed, repeated and missing references are reported at their claim', () => {
  const [a, b, c] = ['c10001', 'c10002', 'c10003'];
  expect(findFlaws(claims, { c10001: 'n1111 11', c10002: 'N-111111' })).toEqual({
    [a as string]: 'Also entered for C-10002.',
    [b as string]: 'Also entered for C-10001.',
  });
  expect(findFlaws(claims, { c10001: '6.31902E+11' }).c10001).toContain('shortened this number');
  expect(findFlaws(claims, { c10001: 'N12' }).c10001).toContain('6 to 40 letters and digits');
  expect(findFlaws(claims, { c10001: 'ABCDEFGH' }).c10001).toContain('not a bank reference');
  expect(findFlaws(claims, { c10001: 'N1', c10002: 'N222222' }, 'Enter it.')).toMatchObject({
    [c as string]: 'Enter it.',
  });
  expect(findFlaws(claims, { c10001: 'N111111' })).toEqual({});
});
