import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { armed, openApp, openedConfirm } from '../../../testing/openApp';
import { account } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';
import { stopTheClock } from '../../../testing/typingClock';

const message = 'Confirm the payment of ₹500.00 with your authenticator app or a passkey.';
const asked = { action: 'claims.pay', subject: 'a'.repeat(64) };

/** A server that wants every payment confirmed; only one code is right. */
async function payAt() {
  const clock = stopTheClock();
  const state = serverMoves([claimOf(1, 'Accepted'), claimOf(2, 'Accepted')]);
  const codes: string[] = [];
  let isGranted = false;
  state.refuse = () => (isGranted ? undefined : refusal(403, 'step_up_required', message, asked));
  server.use(
    http.get('*/api/admin/account', () => HttpResponse.json({ ...account, hasTotp: true })),
    http.post('*/api/admin/step-up', async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      codes.push(code);
      isGranted = code === '492039';
      if (!isGranted) return refusal(403, 'factor_refused', 'Not accepted.');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = openApp('/Withdraw?status=Accepted');
  await screen.findByText('Client 1');
  await user.keyboard('jpN319260012345678');
  await openedConfirm();
  await armed();
  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  const field = within(dialog).getByLabelText<HTMLInputElement>(/^Code/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  return { user, clock, state, codes, dialog, field };
}

const reference = () => screen.getByLabelText<HTMLInputElement>(/^Bank reference/);

test('what is typed on after a payment is not sent as a code', async () => {
  const { user, clock, codes, dialog, field } = await payAt();
  await user.keyboard('123456');
  clock.pass(600);
  await user.keyboard('{Enter}7890{Enter}par{Enter}');
  expect(field.value).toBe('');
  clock.pass(600);
  await user.click(field);
  await armed();
  await user.keyboard('par{Enter}');
  expect(within(dialog).getByRole('alert').textContent).toBe(
    'Enter the six digits that the app shows now.',
  );
  await user.clear(field);
  await user.keyboard('12345{Enter}6a{Enter}');
  expect(codes).toEqual([]);
  await user.clear(field);
  await user.keyboard('492 039{Enter}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(codes).toEqual(['492039']);
});

test('whoever does not confirm it keeps the reference', async () => {
  const { user, clock, state, codes, dialog } = await payAt();
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  const payment = within(await screen.findByRole('alertdialog', { name: 'Mark as paid?' }));
  expect((await payment.findByRole('alert')).textContent).toBe(message);
  expect(reference().value).toBe('N319260012345678');
  expect(screen.queryByText(/was not changed/)).toBeNull();
  expect(codes).toEqual([]);
  clock.pass(600);
  await user.click(reference());
  await armed();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Confirm that it is you' })).toBeTruthy();
  expect(state.puts).toHaveLength(2);
});
