import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { qrCodes, swapped } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const otherPayee = 'This code pays mallory@okbank, not till@okaxis.';

function serverHas(code: typeof swapped) {
  let now = code;
  const asked: unknown[] = [];
  server.use(
    http.get('*/api/qr', () => HttpResponse.json([now, ...qrCodes])),
    http.post('*/api/qr/q3/confirm', async ({ request }) => {
      const body = (await request.json()) as { reason: string };
      asked.push(body);
      const confirmed = { by: 'asha', at: '2026-11-03T10:12:00Z', reason: body.reason };
      now = {
        ...now,
        canDisplay: true,
        confirmBy: null,
        confirmNote: '',
        confirmed,
        displayBy: 'now',
      };
      return HttpResponse.json(now);
    }),
  );
  return asked;
}

const displayButton = (row: Awaited<ReturnType<typeof rowOf>>) =>
  row.getByRole<HTMLButtonElement>('button', { name: /^Display/ });

test('a code that pays another payee says so, and is displayed only after a second admin confirms it', async () => {
  const asked = serverHas(swapped);
  const { user } = openApp('/Qr');
  // A code without findings shows whom it pays.
  expect((await rowOf('Front desk')).getByText('Acme Traders')).toBeTruthy();
  const row = await rowOf('Till 3');
  expect(
    row.getByText(/This code pays mallory@okbank, not till@okaxis\. This code asks/),
  ).toBeTruthy();
  const display = displayButton(row);
  expect(display.disabled).toBe(true);
  const note = row.getByText(swapped.confirmNote);
  expect(display.getAttribute('aria-describedby')).toBe(note.id);

  await user.click(row.getByRole('button', { name: /^Confirm…/ }));
  const dialog = await openedConfirm();
  expect(dialog.getByRole('img', { name: 'QR code of Till 3' })).toBeTruthy();
  expect(dialog.getByText('till@okaxis')).toBeTruthy();
  // The finding names the payee, so that no other sentence does.
  expect(dialog.queryByText('This code pays mallory@okbank, Mallory Stores.')).toBeNull();
  expect(dialog.getByText('Mallory Stores')).toBeTruthy();
  expect(dialog.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    otherPayee,
    'This code asks every payer for ₹500.00.',
  ]);
  expect(dialog.queryByLabelText('Address that the picture pays')).toBeNull();
  const reason = dialog.getByLabelText('Reason');
  expect(document.activeElement).toBe(reason);
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(dialog.getByRole('alert').textContent).toMatch(/^Enter a reason/);
  expect(asked).toEqual([]);
  await user.type(reason, '  Our new bank ');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));

  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked).toEqual([{ reason: 'Our new bank', payee: null }]);
  expect(row.getByText('Confirmed by asha, 3 Nov 2026: Our new bank')).toBeTruthy();
  expect(displayButton(row).disabled).toBe(false);
  expect(row.queryByRole('button', { name: /^Confirm…/ })).toBeNull();
  await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('q3'));
});

test('an admin who cannot confirm sees why Display is disabled, and no Confirm button', async () => {
  serverHas({ ...swapped, confirmBy: null });
  openApp('/Qr');
  const row = await rowOf('Till 3');
  expect(row.getByText(swapped.confirmNote)).toBeTruthy();
  expect(displayButton(row).disabled).toBe(true);
  expect(row.queryByRole('button', { name: /^Confirm…/ })).toBeNull();
});

test('the only admin types the address again, and a refusal is shown at its field', async () => {
  const asked = serverHas({ ...swapped, confirmBy: 'retype' });
  const { user } = openApp('/Qr');
  await user.click(await screen.findByRole('button', { name: 'Till 3' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Till 3' }));
  expect(panel.getByText(otherPayee)).toBeTruthy();
  expect(panel.getByText(swapped.confirmNote)).toBeTruthy();
  await user.click(panel.getByRole('button', { name: /^Confirm…/ }));
  const dialog = await openedConfirm();
  const address = dialog.getByLabelText('Address that the picture pays');
  const send = () => user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await user.type(dialog.getByLabelText('Reason'), 'Our new bank');
  await send();
  expect(dialog.getByRole('alert').textContent).toBe('Enter the address.');

  const refused = { payee: 'This is not the address in the picture.' };
  server.use(
    http.post('*/api/qr/q3/confirm', () => refusal(422, 'invalid_input', 'Bad.', refused), {
      once: true,
    }),
    http.post('*/api/qr/q3/confirm', () => refusal(409, 'second_admin_needed', 'Ask ravi.'), {
      once: true,
    }),
  );
  await user.type(address, 'till@okaxis');
  await send();
  await dialog.findByText(refused.payee);
  expect(address.getAttribute('aria-invalid')).toBe('true');
  await user.clear(address);
  await user.type(address, 'mallory@okbank');
  expect(dialog.queryByText(refused.payee)).toBeNull();
  await send();
  expect((await dialog.findByText('Ask ravi.')).closest('[role="alert"]')).toBeTruthy();
  await send();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked).toEqual([{ reason: 'Our new bank', payee: 'mallory@okbank' }]);
});

const lost = [
  ['a lost answer', () => HttpResponse.error()],
  ['a broken server', () => refusal(500, 'internal_error', 'Oops.')],
] as const;

async function openConfirm() {
  const { user, queryClient } = openApp('/Qr');
  await user.click((await rowOf('Till 3')).getByRole('button', { name: /^Confirm…/ }));
  return { user, queryClient, dialog: await openedConfirm() };
}

test.each(lost)('%s leaves it uncertain whether the code was confirmed', async (_, answer) => {
  serverHas(swapped);
  server.use(http.post('*/api/qr/q3/confirm', answer));
  const { user, dialog } = await openConfirm();
  await user.type(dialog.getByLabelText('Reason'), 'Our new bank');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await dialog.findByText('It is not certain whether it was confirmed.');
  expect(dialog.queryByText('It was not confirmed.')).toBeNull();
});

test('a code that another admin has confirmed meanwhile can no longer be confirmed', async () => {
  serverHas(swapped);
  const { user, queryClient, dialog } = await openConfirm();
  await user.type(dialog.getByLabelText('Reason'), 'Our new bank');
  const confirmed = { by: 'ravi', at: '2026-11-03T10:12:00Z', reason: 'Ours' };
  const asked = serverHas({ ...swapped, confirmBy: null, confirmNote: '', confirmed });
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await dialog.findByText('Confirmed by ravi, 3 Nov 2026: Ours');
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Confirm' });
  expect(button.disabled).toBe(true);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(asked).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
