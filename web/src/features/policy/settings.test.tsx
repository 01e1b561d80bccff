import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Schemas } from '../../api/client';
import { heading, openApp, openedConfirm, retryUntil } from '../../testing/openApp';
import { refusal, refuseUntilRecovered, server } from '../../testing/server';
import { formatMoment } from '../../ui/text/dates';

type Policy = Schemas['PolicyShown'];

const loose: Policy = {
  paidNeedsReference: false,
  twoPersons: false,
  secondLookAbove: null,
  newPayeeNeedsSecondAdmin: false,
  secondFactorRequired: false,
  stepUpAbove: null,
  changes: [],
};
const at = '2026-09-22T07:00:00Z';

function serverHas(policy: Policy) {
  const state = { policy, wishes: [] as unknown[] };
  server.use(
    http.get('*/api/policy', () => HttpResponse.json(state.policy)),
    http.put('*/api/policy', async ({ request }) => {
      const wish = (await request.json()) as Partial<Policy>;
      state.wishes.push(wish);
      state.policy = { ...state.policy, ...wish };
      return HttpResponse.json(state.policy);
    }),
  );
  return state;
}

async function openSettings() {
  const app = openApp('/Settings');
  await heading('Settings');
  return app;
}
const rule = async (name: string) => within(await screen.findByRole('region', { name }));

test('a rule is turned on only after a warning that no admin can turn it off', async () => {
  const state = serverHas(loose);
  const { user } = await openSettings();
  const two = await rule('Two people for every payment');
  const toggle = two.getByRole('switch');
  expect(toggle.getAttribute('aria-checked')).toBe('false');
  await user.click(toggle);
  const dialog = await screen.findByRole('alertdialog', {
    name: 'Turn on “Two people for every payment”?',
  });
  expect(within(dialog).getByText('countinghouse policy set two-persons off')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Cancel');
  expect(state.wishes).toEqual([]);
  await user.click((await openedConfirm()).getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('true'));
  // Only the requested rule: sending another rule as off would loosen it.
  expect(state.wishes).toEqual([{ twoPersons: true }]);
});

test('the new payee rule is on by default, and turning it on again sends no other rule', async () => {
  const state = serverHas({ ...loose, newPayeeNeedsSecondAdmin: true });
  const { user, queryClient } = await openSettings();
  const payee = await rule('A new payee needs a second admin');
  expect(payee.getByText('On')).toBeTruthy();
  expect(payee.getByText('countinghouse policy set new-payee-needs-second-admin off')).toBeTruthy();
  await user.click(payee.getByRole('switch'));
  expect(screen.queryByRole('alertdialog')).toBeNull();

  state.policy = loose;
  await queryClient.invalidateQueries({ queryKey: ['policy'] });
  await payee.findByText('Off');
  await user.click(payee.getByRole('switch'));
  await screen.findByRole('alertdialog', { name: 'Turn on “A new payee needs a second admin”?' });
  await user.click((await openedConfirm()).getByRole('button', { name: 'Turn on' }));
  await payee.findByText('On');
  expect(state.wishes).toEqual([{ newPayeeNeedsSecondAdmin: true }]);
});

test('a rule that is on says who set it and the only way to loosen it; bank codes show their version', async () => {
  const state = serverHas({
    ...loose,
    paidNeedsReference: true,
    changes: [{ rule: 'paidNeedsReference', setting: 'on', by: 'asha', at }],
  });
  const { user } = await openSettings();
  const codes = await rule('Bank codes');
  expect(
    await codes.findByText(/^1,76,918 IFSC codes of 257 banks: version 2\.0\.50/),
  ).toBeTruthy();
  expect(codes.getByText('scripts/refresh_bank_codes')).toBeTruthy();
  const paid = await rule('Paid needs a bank reference');
  expect(paid.getByText('On')).toBeTruthy();
  expect(paid.getByText(`Set by asha on ${formatMoment(at)}.`)).toBeTruthy();
  expect(paid.getByText('To turn it off, run on the server:')).toBeTruthy();
  expect(paid.getByText('countinghouse policy set paid-needs-reference off')).toBeTruthy();
  await user.click(paid.getByRole('switch'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(state.wishes).toEqual([]);
});

test('the amount can be set and lowered, but never raised', async () => {
  const state = serverHas(loose);
  const { user } = await openSettings();
  const above = await rule('A second person above an amount');
  const set = async (text: string) => {
    const field = above.getByRole('textbox');
    await user.clear(field);
    await user.type(field, `${text}{Enter}`);
  };
  await set('a lot');
  expect(above.getByRole('alert').textContent).toBe('Enter an amount in rupees, such as 50000.');
  await set('₹50,000');
  await screen.findByRole('alertdialog', { name: 'A second person above ₹50,000.00?' });
  await user.click((await openedConfirm()).getByRole('button', { name: 'Set to ₹50,000.00' }));
  expect(await above.findByText('On above ₹50,000.00')).toBeTruthy();
  expect(above.getByText('countinghouse policy set second-look-above AMOUNT')).toBeTruthy();
  await set('60000');
  expect(above.getByRole('alert').textContent).toBe(
    'Here it can only be set lower than ₹50,000.00.',
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await set('0.5');
  await screen.findByRole('alertdialog', { name: 'A second person above ₹0.50?' });
  expect(state.wishes).toEqual([{ secondLookAbove: 50000 }]);
});

test('a refusal is shown in the dialog, and then the rule that another admin set meanwhile', async () => {
  const state = serverHas(loose);
  server.use(
    http.put('*/api/policy', () => {
      state.policy = { ...loose, secondLookAbove: 100 };
      return refusal(409, 'policy_only_tightens', 'Only the operator can relax this.');
    }),
  );
  const { user } = await openSettings();
  const above = await rule('A second person above an amount');
  await user.type(above.getByRole('textbox'), '500{Enter}');
  await screen.findByRole('alertdialog');
  const dialog = await openedConfirm();
  await user.click(dialog.getByRole('button', { name: 'Set to ₹500.00' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('Only the operator can relax');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(await above.findByText('On above ₹100.00')).toBeTruthy();
});

test.each([
  ['a lost answer', () => HttpResponse.error()],
  ['a broken server', () => refusal(500, 'internal_error', 'Oops.')],
])('%s leaves it uncertain whether the rule was set', async (_, answer) => {
  serverHas(loose);
  server.use(http.put('*/api/policy', answer));
  const { user } = await openSettings();
  await user.click((await rule('Two people for every payment')).getByRole('switch'));
  const dialog = await openedConfirm();
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  await dialog.findByText('It is not certain whether it was set.');
  expect(dialog.queryByText('It was not set.')).toBeNull();
});

test('settings that cannot be loaded show an error with Retry', async () => {
  const recover = refuseUntilRecovered('*/api/policy', 'Not now.');
  const { user } = await openSettings();
  expect(await screen.findByText('The settings could not be loaded.')).toBeTruthy();
  recover();
  expect(await retryUntil(user, () => screen.getAllByRole('switch'))).toHaveLength(4);
});
