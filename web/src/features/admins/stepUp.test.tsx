import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { askStepUp } from '../../api/stepUp';
import { enter, heading, openApp, openedConfirm } from '../../testing/openApp';
import { account } from '../../testing/sampleData';
import { refusal, server } from '../../testing/server';

const subject = 'a'.repeat(64);
const asked = { action: 'policy.change', subject };
const message = 'Confirm changing the policy with your authenticator app or a passkey.';

/** A policy that is changed only after a step-up; `codes` are those that the server accepts. */
function serverAsks(...codes: string[]) {
  const state = { wishes: [] as unknown[], confirmed: [] as unknown[], isGranted: false };
  server.use(
    http.get('*/api/admin/account', () => HttpResponse.json({ ...account, hasTotp: true })),
    http.put('*/api/policy', async ({ request }) => {
      state.wishes.push(await request.json());
      if (!state.isGranted) return refusal(403, 'step_up_required', message, asked);
      const shown = { paidNeedsReference: false, twoPersons: true, secondLookAbove: null };
      return HttpResponse.json({
        ...shown,
        newPayeeNeedsSecondAdmin: true,
        secondFactorRequired: false,
        stepUpAbove: null,
        changes: [],
      });
    }),
    http.post('*/api/admin/step-up', async ({ request }) => {
      const body = (await request.json()) as { code: string };
      state.confirmed.push(body);
      if (!codes.includes(body.code)) return refusal(403, 'factor_refused', 'Not accepted.');
      state.isGranted = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return state;
}

async function turnOnTwoPersons() {
  const { user } = openApp('/Settings');
  await heading('Settings');
  await user.click(await screen.findByRole('switch', { name: 'Two people for every payment' }));
  await user.click((await openedConfirm()).getByRole('button', { name: 'Turn on' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  return { user, dialog };
}

test('a refused request asks for a code and is then sent again', async () => {
  const state = serverAsks('492039');
  const { user, dialog } = await turnOnTwoPersons();
  expect(dialog.getByText(message)).toBeTruthy();
  const field = dialog.getByLabelText('Code from your authenticator app');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await enter(user, field, '000000');
  expect((await dialog.findByRole('alert')).textContent).toBe('Not accepted.');
  await enter(user, field, '492039');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const rule = screen.getByRole('switch', { name: 'Two people for every payment' });
  await waitFor(() => expect(rule.getAttribute('aria-checked')).toBe('true'));
  expect(state.wishes).toEqual([{ twoPersons: true }, { twoPersons: true }]);
  expect(state.confirmed[1]).toEqual({ ...asked, code: '492039' });
});

test('whoever gives up sees why nothing was changed', async () => {
  const state = serverAsks();
  const { user, dialog } = await turnOnTwoPersons();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const confirm = await openedConfirm();
  expect((await confirm.findByRole('alert')).textContent).toContain(message);
  expect(state.wishes).toHaveLength(1);
});

test('two equal requests are two questions, and the second can be answered', async () => {
  serverAsks('492039');
  const { user, dialog } = await turnOnTwoPersons();
  const second = askStepUp({ ...asked, message });
  await enter(user, dialog.getByLabelText('Code from your authenticator app'), '492039');
  const rule = screen.getByRole('switch', { name: 'Two people for every payment', hidden: true });
  await waitFor(() => expect(rule.getAttribute('aria-checked')).toBe('true'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await second).toBe(false);
});

test('with passkeys only, no code is asked for', async () => {
  serverAsks();
  const passkey = { _id: 'p1', name: 'Key', createdAt: '2026-11-15T02:52:36.120Z' };
  server.use(
    http.get('*/api/admin/account', () =>
      HttpResponse.json({ ...account, passkeys: [{ ...passkey, lastUsedAt: null }] }),
    ),
  );
  const { dialog } = await turnOnTwoPersons();
  expect(await dialog.findByRole('button', { name: 'Use a passkey' })).toBeTruthy();
  expect(dialog.queryByLabelText('Code from your authenticator app')).toBeNull();
});
