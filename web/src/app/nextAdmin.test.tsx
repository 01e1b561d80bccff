import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { rememberUsername, startSession } from '../api/session';
import { claimOf, serverMoves } from '../testing/claimServer';
import { pause } from '../testing/liveServer';
import { heading, openApp, openRow, rowOf } from '../testing/openApp';
import { purchases } from '../testing/sampleData';
import { refusal, server } from '../testing/server';

/** A promise that the test resolves. */
function answerLater() {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return { held, answer };
}

const hidden = { mobile: '••••6267', accountNo: '••••6789' };

test('the late answer to a move shows the next admin no whole number, and is not theirs to undo', async () => {
  const [claim] = [claimOf(1)];
  const state = serverMoves([claim]);
  const { held, answer } = answerLater();
  server.use(
    http.put(
      '*/api/claims/:id/status',
      async () => {
        await held;
        // The next handler answers.
        return undefined;
      },
      { once: true },
    ),
  );
  const { user } = openApp('/Withdraw');
  await user.click((await rowOf('Client 1')).getByRole('button', { name: /^Accept/ }));
  const masked = {
    ...claim,
    accountNo: hidden.accountNo,
    user: { ...claim.user, mobile: hidden.mobile },
  };
  server.use(http.get('*/api/claims/all', () => HttpResponse.json([masked])));
  act(() => startSession('other', 'vik', ['claims.accept']));
  await (await rowOf('Client 1')).findByText(hidden.accountNo);
  answer();
  await waitFor(() => expect(state.puts).toHaveLength(1));
  await pause(100);
  const row = await rowOf('Client 1');
  expect(row.getByText(hidden.accountNo)).toBeTruthy();
  expect(row.getByText(hidden.mobile)).toBeTruthy();
  await user.keyboard('u');
  await screen.findByText('There is nothing to undo.');
  expect(state.puts).toHaveLength(1);
});

test('the late answer to a check of a purchase shows the next admin no whole number', async () => {
  const [purchase] = purchases;
  if (!purchase) throw new Error('no purchase');
  const found = {
    ...purchase,
    findings: [{ code: 'reference_used', sentence: 'The transaction ID was used before.' }],
    isChecked: false,
  };
  const { held, answer } = answerLater();
  let isAnswered = false;
  server.use(
    http.get('*/api/purchases/all', () => HttpResponse.json([found])),
    http.put('*/api/purchases/:id/checked', async () => {
      await held;
      isAnswered = true;
      return HttpResponse.json(found);
    }),
  );
  server.use(
    http.get('*/api/purchases/p1/details', () =>
      HttpResponse.json({ purchase: found, related: [] }),
    ),
  );
  const { user } = openApp('/Data', { permissions: ['purchases.read', 'purchases.check'] });
  await openRow(user, 'Rahul Nair');
  await user.type(await screen.findByLabelText(/^Note/), 'Asked the bank.');
  await user.click(screen.getByRole('button', { name: 'Mark as checked' }));
  const masked = { ...found, user: { ...found.user, mobile: hidden.mobile } };
  server.use(http.get('*/api/purchases/all', () => HttpResponse.json([masked])));
  act(() => startSession('other', 'vik', []));
  await screen.findAllByText(hidden.mobile);
  answer();
  await waitFor(() => expect(isAnswered).toBe(true));
  await pause(100);
  expect(screen.queryByText(purchase.user.mobile)).toBeNull();
});

test.each([
  ['asha', '/Withdraw?q=008081229676'],
  ['vik', '/Withdraw'],
])('after the session of asha has ended, %s logs in at %s', async (username, place) => {
  rememberUsername('stored', 'asha');
  server.use(
    http.get('*/api/claims/all', () => refusal(401, 'session_ended', 'Ended.'), { once: true }),
    http.post('*/api/admin/login', () =>
      HttpResponse.json({
        ...{ token: 'fresh', username, role: 'payer', permissions: [] },
        ...{ hasFactor: false, mustEnrol: false },
      }),
    ),
  );
  const { user } = openApp('/Withdraw?q=008081229676', { token: 'stored' });
  await user.type(await screen.findByLabelText('Username'), username);
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(await heading('All Claim Requests')).toBeTruthy();
  expect(window.location.pathname + window.location.search).toBe(place);
});
