import { expect, test } from 'vitest';
import { firstCalls } from './firstCalls';

test.each([
  ['/Withdraw', '', ['/api/claims/all?limit=50', '/api/claims/totals?']],
  [
    '/withdraw/',
    '?status=Paid&min=5&sort=-amount&hide=ifsc&from=never',
    [
      '/api/claims/all?status=Paid&minAmount=5&sort=-amount&limit=50',
      '/api/claims/totals?status=Paid&minAmount=5',
    ],
  ],
  ['/reg', '?q=rahul', ['/api/users?q=rahul&limit=50', '/api/users/totals?q=rahul']],
  ['/QR', '', ['/api/qr']],
  ['/', '', []],
])('%s%s starts with the requests of its own screen', (path, search, calls) => {
  expect(firstCalls(path, search)).toEqual(calls);
});
