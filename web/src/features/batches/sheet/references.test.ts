import { expect, test } from 'vitest';
import spellings from '../../../testing/referenceSpellings.json';
import { flawOf, normalised } from './references';

/** The sheet wants these without the words beside them: it cannot tell what they are. */
const ofSeveralWords = [
  '412345678901/RAHUL NAIR',
  '412345678901 2345',
  'n319 260012345678',
  'sbin r1 2026 1101 1234 5678',
  'UPI/P2M/226633290/Syed Khad',
  'PTM/4f0c2a9e1d7b4c55',
  'INB/CU12345678/RAHUL',
];

test('a reference among the words of a statement is the reference alone', () => {
  for (const [typed = '', stored] of spellings.one) {
    const flaw = ofSeveralWords.includes(typed) ? 'This is more than a bank reference.' : '';
    expect([typed, flawOf(typed).slice(0, flaw.length || undefined)]).toEqual([typed, flaw]);
    expect([typed, normalised(typed)]).toEqual([typed, stored]);
  }
});

test('what is no reference says so, and of several none is chosen', () => {
  for (const typed of spellings.none) expect([typed, flawOf(typed)]).not.toEqual([typed, '']);
  for (const [typed, found] of spellings.several as [string, string[]][])
    expect(flawOf(typed)).toContain(`${found.join(' and ')}. Enter one of them alone.`);
});
