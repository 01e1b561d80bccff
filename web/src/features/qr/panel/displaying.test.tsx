import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { QrCode } from '../../../entities/qr/qr';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { qrCodes } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const [shown, hidden] = qrCodes as [QrCode, QrCode];
const third: QrCode = { ...shown, _id: 'q9', name: 'Counter D', upiId: 'd@okaxis' };

/** Serves these codes, and carries out what is asked. */
function serverHas(codes: readonly QrCode[]) {
  const state = { codes, asked: [] as unknown[] };
  server.use(
    http.get('*/api/qr', () => HttpResponse.json(state.codes)),
    http.patch('*/api/qr/status/:id', async ({ request, params }) => {
      const body = (await request.json()) as { replaces: string | null };
      state.asked.push(body);
      state.codes = state.codes.map((code) => {
        if (code._id === params.id) return { ...code, status: 'display', displayBy: null };
        return code._id === body.replaces ? { ...code, status: 'hide' } : code;
      });
      return HttpResponse.json(state.codes.find(({ _id }) => _id === params.id));
    }),
  );
  return state;
}

async function askToDisplay() {
  const app = openApp('/Qr');
  await app.user.click((await rowOf('Branch two')).getByRole('button', { name: /^Display/ }));
  return { ...app, dialog: await openedConfirm() };
}

test('Display shows what customers will see and what is on display, and Cancel changes nothing', async () => {
  const { asked } = serverHas(qrCodes);
  const { user, dialog } = await askToDisplay();
  expect(screen.getByRole('alertdialog', { name: 'Display Branch two?' })).toBeTruthy();
  expect(within(dialog.getByRole('figure')).getByRole('img').getAttribute('src')).toBe(
    hidden.qrImage,
  );
  expect(dialog.getByText('Customers see')).toBeTruthy();
  expect(dialog.getByText('Acme Traders')).toBeTruthy();
  expect(dialog.getByText('branch@okaxis')).toBeTruthy();
  const now = within(dialog.getByRole('region', { name: 'On display now' }));
  expect(now.getByText('Front desk')).toBeTruthy();
  expect(now.getByText('front@okaxis')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Cancel');
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(asked).toEqual([]);
});

test('Replace hides the old code in the same call, and the toast names both payees', async () => {
  const { asked } = serverHas(qrCodes);
  const { user, dialog } = await askToDisplay();
  await user.click(dialog.getByRole('button', { name: 'Replace Front desk' }));
  expect(
    await screen.findByText(
      'Customers now pay Branch two (branch@okaxis) instead of Front desk (front@okaxis).',
    ),
  ).toBeTruthy();
  expect(await (await rowOf('Front desk')).findByText('hide')).toBeTruthy();
  expect(await (await rowOf('Branch two')).findByText('display')).toBeTruthy();
  expect(asked).toEqual([{ status: 'display', replaces: 'q1' }]);
  await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('q2'));
});

test('each of several codes on display can be replaced, or none', async () => {
  const { asked } = serverHas([third, ...qrCodes]);
  const { user, dialog } = await askToDisplay();
  for (const name of ['Replace Counter D', 'Replace Front desk'])
    expect(dialog.getByRole('button', { name })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Display as well' }));
  expect(await screen.findByText('Customers now see Branch two (branch@okaxis).')).toBeTruthy();
  expect(asked).toEqual([{ status: 'display', replaces: null }]);
});

test('with nothing on display there is only Display', async () => {
  const { asked } = serverHas([hidden]);
  const { user, dialog } = await askToDisplay();
  expect(dialog.getByText(/^Nothing\./)).toBeTruthy();
  expect(dialog.getAllByRole('button').map((one) => one.textContent)).toEqual([
    'Cancel',
    'Display',
  ]);
  await user.click(dialog.getByRole('button', { name: /^Display/ }));
  await waitFor(() => expect(asked).toEqual([{ status: 'display', replaces: null }]));
});

test('a code that goes off display meanwhile keeps its line, but can no longer be replaced', async () => {
  const state = serverHas([third, ...qrCodes]);
  const { dialog, queryClient } = await askToDisplay();
  const fourth: QrCode = { ...third, _id: 'q8', name: 'Counter E' };
  state.codes = [fourth, shown, hidden];
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await dialog.findByText('No longer on display');
  expect(
    dialog.getAllByRole('listitem').map((line) => line.querySelector('p')?.textContent),
  ).toEqual(['Counter D', 'Front desk', 'Counter E']);
  expect(dialog.queryByRole('button', { name: 'Replace Counter D' })).toBeNull();
});

test('a refused replacement says what has changed', async () => {
  serverHas(qrCodes);
  server.use(
    http.patch('*/api/qr/status/q2', () =>
      refusal(409, 'replaced_not_on_display', 'ravi has taken Front desk off display.'),
    ),
  );
  const { user, dialog } = await askToDisplay();
  await user.click(dialog.getByRole('button', { name: 'Replace Front desk' }));
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to update status')).toBeTruthy();
  expect(alert.getByText('Branch two: ravi has taken Front desk off display.')).toBeTruthy();
});
