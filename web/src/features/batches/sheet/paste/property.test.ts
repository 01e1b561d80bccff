import { expect, test } from 'vitest';
import { batchClaim } from '../../../../testing/batchServer';
import { type Draw, draws } from '../../../../testing/draws';
import type { BatchClaim } from '../references';
import { matchPasted } from './pasted';

/** Few names, amounts and accounts, so that many claims have the same. */
const sheetOf = ({ below, shuffled }: Draw) =>
  shuffled(Array.from({ length: 2 + below(12) }, (_, place) => place)).map(
    (place): BatchClaim => ({
      ...batchClaim(place, ['Asha Rao', 'आशा राव', 'A "B" C', '=Bala'][below(4)] ?? ''),
      accountNo: `00${4_512_345_670 + below(5)}`,
      amount: 1_000 + 500 * below(4),
    }),
  );

const rupees = new Intl.NumberFormat('en-IN');
const referenceOf = ({ number }: BatchClaim) => `SBIN326${number.slice(2)}7`;
const written: Record<string, (claim: BatchClaim, draw: Draw) => string> = {
  'Claim No.': ({ number }, { below }) => [number, number.slice(2), ` ${number}`][below(3)] ?? '',
  'User Name': ({ username }) =>
    username.includes('"') ? `"${username.replaceAll('"', '""')}"` : username,
  Amount: ({ amount }, { below }) =>
    [`₹${rupees.format(amount)}.00`, `${amount}`, `Rs. ${amount}`][below(3)] ?? '',
  'Account No': ({ accountNo }, { below }) =>
    [accountNo, `'${accountNo}`, `="${accountNo}"`, accountNo.slice(2)][below(4)] ?? '',
  IFSC: ({ ifsc }) => ifsc,
  Date: () => '16 Nov 2026',
  UTR: referenceOf,
};

const seeds = Array.from({ length: 2_000 }, (_, seed) => seed + 1);

test.each([0, 1, 2, 3])(
  'in any order of lines and columns, no claim gets the reference of another one (%s)',
  (part) => {
    let read = 0;
    for (const seed of seeds.filter((each) => each % 4 === part)) {
      const draw = draws(seed);
      const claims = sheetOf(draw);
      const names = draw.shuffled(
        Object.keys(written).filter((name) => name === 'UTR' || draw.isLikely(0.6)),
      );
      if (names.length === 1) continue;
      // Some lines are lost, doubled, or of claims that are not in the sheet.
      const lines = draw.shuffled(
        claims.flatMap((claim) =>
          draw.isLikely(0.03) ? [] : draw.isLikely(0.03) ? [claim, claim] : [claim],
        ),
      );
      if (draw.isLikely(0.1)) lines.push(batchClaim(99, 'Esha'));
      const text = [
        ...(draw.isLikely(0.5) ? [names.join('\t')] : []),
        ...lines.map((claim) => names.map((name) => written[name]?.(claim, draw)).join('\t')),
      ].join('\n');
      const pasted = matchPasted(text, {
        claims,
        listed: claims,
        moved: {},
        isFiltered: false,
        sort: undefined,
      });
      if ('refusal' in pasted) {
        expect(pasted.refusal.join(' '), text).not.toBe('');
        continue;
      }
      read += 1;
      const right = Object.fromEntries(claims.map((claim) => [claim._id, referenceOf(claim)]));
      expect(pasted.references, text).toEqual(right);
    }
    expect(read).toBeGreaterThan(75);
  },
);

test('one wrong amount or account refuses the whole paste', () => {
  for (const seed of seeds.slice(0, 500)) {
    const draw = draws(seed);
    const claims = sheetOf(draw);
    const names = draw.shuffled(['Claim No.', 'Amount', 'Account No', 'UTR']);
    const wrong = draw.below(claims.length);
    const lines = claims.map((claim, place) => {
      const change =
        place !== wrong
          ? {}
          : draw.isLikely(0.5)
            ? { amount: 777 }
            : { accountNo: '00999988887777' };
      return names.map((name) => written[name]?.({ ...claim, ...change }, draw)).join('\t');
    });
    const pasted = matchPasted([names.join('\t'), ...lines].join('\n'), {
      claims,
      listed: claims,
      moved: {},
      isFiltered: false,
      sort: undefined,
    });
    expect('refusal' in pasted && pasted.refusal).toEqual([
      expect.stringMatching(`^Line ${wrong + 2}: ${claims[wrong]?.number} `),
    ]);
  }
});

test('one column never passes without the question, whatever its order', () => {
  for (const seed of seeds.slice(0, 500)) {
    const draw = draws(seed);
    const claims = sheetOf(draw);
    const pasted = matchPasted(draw.shuffled(claims).map(referenceOf).join('\n'), {
      claims,
      listed: claims,
      moved: {},
      isFiltered: false,
      sort: undefined,
    });
    expect('question' in pasted && pasted.question).toContain(
      `Line 1 is taken for ${claims[0]?.number}, the first row`,
    );
  }
});
