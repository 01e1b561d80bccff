import { expect, test } from 'vitest';
import { batchClaim } from '../../../../testing/batchServer';
import type { BatchClaim, Texts } from '../references';
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

test('names as banks write them are compared with the claims', () => {
  const ways: ((name: string) => string)[] = [
    (name) => name,
    (name) => `MR ${name.toUpperCase()}`,
    (name) => name.split(' ').reverse().join(' '),
    (name) => name.slice(0, 6),
    (name) => `${name} HDFC BANK`,
  ];
  for (const heading of ['', 'Claim No.\tUTR\tHolder\n', 'Claim No.\tUTR\tParty\n'])
    for (const write of ways) {
      const names = claims.map(({ username }) => write(username));
      const lines = (order: readonly number[]) =>
        heading +
        claims
          .map(({ number }, place) => {
            const from = order[place] ?? 0;
            return `${number}\tN${String(from + 1).repeat(6)}\t${names[from]}`;
          })
          .join('\n');
      const [slid, right] = [paste(lines([1, 2, 0])), paste(lines([0, 1, 2]))];
      expect(Object.keys(slid.doubts)).toEqual(['c1', 'c2', 'c3']);
      expect(slid.question).toContain('3 rows of the paste need a look');
      expect(right.references).toEqual(all);
      if (!names[0]?.endsWith('BANK')) expect(right.question).toBe('');
    }
});

test.each([
  ['user101', 'user102'],
  ['Asha 1', 'Asha 2'],
  ['rahul@x1', 'rahul@x2'],
  ['9876543210', '9876543211'],
  ['Ram Kumar', 'Ramesh Kumar'],
  ['R Kumar', 'Rahul Kumar'],
  ['Ravi', 'Ravindra'],
  ['Kumar Ravi', 'Ravi Kumar'],
  ['Ali Mohammed', 'Ali Mohammed Ali'],
  ['Li Wu', 'Xu Bo'],
])('%s and %s are two names', (one, other) => {
  const listed = [batchClaim(1, one), batchClaim(2, other)];
  for (const heading of ['', 'Claim No.\tUTR\tName\n'])
    for (const write of [(name: string) => name, (name: string) => name.toUpperCase()]) {
      const line = (number: string, reference: string, name: string) =>
        `${number}\t${reference}\t${write(name)}`;
      const slid = [line('C-10001', 'N222222', other), line('C-10002', 'N111111', one)];
      expect(Object.keys(paste(heading + slid.join('\n'), listed).doubts)).toEqual(['c1', 'c2']);
      const right = [line('C-10001', 'N111111', one), line('C-10002', 'N222222', other)];
      expect(paste(heading + right.join('\n'), listed).question).toBe('');
    }
});

test('a name cut short that fits two clients is asked about', () => {
  const listed = [batchClaim(1, 'Rahul Sharma'), batchClaim(2, 'Rahul Sinha')];
  const text = 'Claim No.\tUTR\tName\nC-10001\tN111111\tRAHUL S\nC-10002\tN222222\tRAHUL SI';
  expect(Object.keys(paste(text, listed).doubts)).toEqual(['c1']);
});
