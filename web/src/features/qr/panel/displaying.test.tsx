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
      const body = (await request.json()) as { status: QrCode['status']; replaces?: string };
      state.asked.push(body);
      state.codes = state.codes.map((code) => {
        if (code._id === params.id)
          return body.status === 'hide'
            ? { ...code, status: 'hide' }
            : { ...code, status: 'display', displayBy: null };
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
  expect(asked).toEqual([{ status: 'display', seen: ['q1'], replaces: 'q1' }]);
  await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('q2'));
});

test('each of several codes on display can be replaced, or none', async () => {
  const { asked } = serverHas([third, ...qrCodes]);
  const { user, dialog } = await askToDisplay();
  for (const name of ['Replace Counter D', 'Replace Front desk'])
    expect(dialog.getByRole('button', { name })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Display as well' }));
  expect(
    await screen.findByText(
      'Customers now see Branch two (branch@okaxis), Counter D (front@okaxis) and Front desk (front@okaxis).',
    ),
  ).toBeTruthy();
  expect(asked).toEqual([{ status: 'display', seen: ['q9', 'q1'], replaces: null }]);
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
  expect(
    await screen.findByText('Customers now see only Branch two (branch@okaxis).'),
  ).toBeTruthy();
  expect(asked).toEqual([{ status: 'display', seen: [], replaces: null }]);
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

const enabled = (button: HTMLElement) => !(button as HTMLButtonElement).disabled;

test('a code that goes on display meanwhile disarms the dialog until the admin chooses again', async () => {
  const state = serverHas([{ ...shown, status: 'hide' }, hidden]);
  const { user, dialog, queryClient } = await askToDisplay();
  const display = dialog.getByRole('button', { name: 'Display' });
  await user.tab();
  expect(document.activeElement).toBe(display);
  state.codes = qrCodes;
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  const change = await dialog.findByRole('alert');
  expect(change.textContent).toBe(
    'Front desk went on display while this was open. Nothing was done.',
  );
  // The same label as before: it never becomes another answer in its place.
  expect([display.textContent, enabled(display)]).toEqual(['Display', false]);
  expect(enabled(dialog.getByRole('button', { name: 'Replace Front desk' }))).toBe(false);
  expect(document.activeElement?.getAttribute('role')).toBe('alertdialog');
  await user.keyboard('{Enter}');
  await user.click(display);

  await user.click(dialog.getByRole('button', { name: 'Choose again' }));
  const asWell = dialog.getByRole('button', { name: 'Display as well' });
  expect(enabled(asWell)).toBe(false);
  expect(enabled(dialog.getByRole('button', { name: 'Replace Front desk' }))).toBe(false);
  expect(document.activeElement?.getAttribute('role')).toBe('alertdialog');
  await user.keyboard('{Enter}');
  await user.click(asWell);
  expect(state.asked).toEqual([]);
  expect(dialog.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(enabled(asWell)).toBe(true));
  expect(document.activeElement?.getAttribute('role')).toBe('alertdialog');
  await user.click(dialog.getByRole('button', { name: 'Replace Front desk' }));
  await waitFor(() =>
    expect(state.asked).toEqual([{ status: 'display', seen: ['q1'], replaces: 'q1' }]),
  );
});

test('an approval while another code goes on display is asked again', async () => {
  const waiting: QrCode = {
    ...hidden,
    displayBy: 'approve',
    displayRequest: { by: 'ravi', at: '2026-11-16T05:12:00Z', replaces: 'q1' },
  };
  const state = serverHas([shown, waiting]);
  const { user, dialog, queryClient } = await askToDisplay();
  state.codes = [third, shown, waiting];
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await dialog.findByText(/^Counter D went on display/);
  for (const name of ['Display as well', 'Replace Front desk', 'Replace Counter D'])
    expect(enabled(dialog.getByRole('button', { name }))).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Choose again' }));
  const replace = dialog.getByRole('button', { name: 'Replace Front desk' });
  await waitFor(() => expect(enabled(replace)).toBe(true));
  await user.click(replace);
  expect(
    await screen.findByText(
      'Customers now pay Branch two (branch@okaxis) instead of Front desk (front@okaxis). They also see Counter D (front@okaxis).',
    ),
  ).toBeTruthy();
  expect(state.asked).toEqual([{ status: 'display', seen: ['q9', 'q1'], replaces: 'q1' }]);
});

test('a dialog that would approve instead of ask is asked again', async () => {
  const state = serverHas([shown, { ...hidden, displayBy: 'request', approvers: ['ravi'] }]);
  const { dialog, queryClient } = await askToDisplay();
  state.codes = [shown, { ...hidden, displayBy: 'approve' }];
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await dialog.findByText('What Display does has changed while this was open. Nothing was done.');
  expect(enabled(dialog.getByRole('button', { name: 'Display as well' }))).toBe(false);
});

test.each([
  [[third, ...qrCodes], ['q9', 'q1'], 'They now see Counter D (front@okaxis).'],
  [qrCodes, ['q1'], 'They now see no code, and cannot pay.'],
])('Hide says what was seen, and the toast what is left', async (codes, seen, left) => {
  const { asked } = serverHas(codes);
  const { user } = openApp('/Qr');
  await user.click((await rowOf('Front desk')).getByRole('button', { name: /^Hide/ }));
  expect(
    await screen.findByText(`Customers no longer see Front desk (front@okaxis). ${left}`),
  ).toBeTruthy();
  expect(asked).toEqual([{ status: 'hide', seen }]);
});

test('a code that goes on display is not deleted by the dialog that said it is hidden', async () => {
  const state = serverHas(qrCodes);
  const { user, queryClient } = openApp('/Qr');
  await user.click((await rowOf('Branch two')).getByRole('button', { name: /^Delete/ }));
  const dialog = await openedConfirm();
  state.codes = [shown, { ...hidden, status: 'display', displayBy: null }];
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await dialog.findByText(/^It went on display while this was open\. It was not deleted/);
  expect(enabled(dialog.getByRole('button', { name: 'Delete' }))).toBe(false);
});
