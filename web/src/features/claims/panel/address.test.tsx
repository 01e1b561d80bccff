import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openRow } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const goBack = () => act(async () => window.history.back());
const panel = (name: string) => screen.findByRole('dialog', { name });

/** The list, which also answers for one number. */
function serveClaims() {
  const claims = [claimOf(1), claimOf(2), claimOf(3)];
  serverMoves(claims);
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      const number = new URL(request.url).searchParams.get('number');
      if (!number) return undefined;
      return HttpResponse.json(claims.filter((claim) => claim.number === number));
    }),
  );
}

test('the address names the claim while its panel is open; Back closes it', async () => {
  serveClaims();
  const { user } = openApp('/Withdraw?status=Pending');
  await openRow(user, 'Client 1');
  await panel('Client 1');
  expect(window.location.pathname + window.location.search).toBe(
    '/Withdraw/C-10001?status=Pending',
  );
  await user.keyboard('j');
  await panel('Client 2');
  expect(window.location.pathname).toBe('/Withdraw/C-10002');
  await goBack();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(window.location.pathname + window.location.search).toBe('/Withdraw?status=Pending');
});

test.each([null, { isPanel: true }])('a link or a reload opens the panel', async (state) => {
  serveClaims();
  const { user } = openApp('/Withdraw/c-10003', { state });
  await panel('Client 3');
  expect(window.location.pathname.toLowerCase()).toBe('/withdraw/c-10003');
  expect(screen.getByText('C-10003')).toBeTruthy();
  if (state) return;
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(window.location.pathname).toBe('/Withdraw'));
});

test('a number that no claim has is said, and the list stays', async () => {
  serveClaims();
  openApp('/Withdraw/C-77777');
  expect(await screen.findByText(/There is no claim C-77777/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Client 1' })).toBeTruthy();
});
