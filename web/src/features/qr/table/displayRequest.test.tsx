import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { QrCode } from '../../../entities/qr/qr';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { qrCodes } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';
import { formatMoment } from '../../../ui/text/dates';

const at = '2026-11-16T05:12:00Z';
const [shown, hidden] = qrCodes as [QrCode, QrCode];
const fresh: QrCode = {
  ...hidden,
  displayBy: 'request',
  approvers: ['meera', 'ravi'],
  displayNote: 'branch@okaxis was never on display before. Display asks a second admin.',
};
const waits = 'You asked to display this code. It waits for a second admin.';
const own: QrCode = {
  ...hidden,
  displayRequest: { by: 'asha', at, replaces: null },
  displayBy: 'wait',
  displayNote: waits,
};
const approves = 'ravi asked to display this code. Display approves it.';
const others: QrCode = {
  ...hidden,
  displayRequest: { by: 'ravi', at, replaces: 'q1' },
  displayBy: 'approve',
  displayNote: approves,
};

/** Serves a code of a new payee, in the state that the test gives. */
function serverHas(code: QrCode) {
  const state = { code, calls: [] as string[] };
  server.use(
    http.get('*/api/qr', () => HttpResponse.json([shown, state.code])),
    http.patch('*/api/qr/status/q2', async ({ request }) => {
      const { replaces } = (await request.json()) as { replaces: string | null };
      const isWaiting = state.code.displayBy === 'request';
      state.code = isWaiting ? own : { ...hidden, status: 'display', displayBy: null };
      state.calls.push(replaces ? `replace ${replaces}` : 'display');
      return HttpResponse.json(state.code, { status: isWaiting ? 202 : 200 });
    }),
    http.delete('*/api/qr/q2/display-request', () => {
      state.code = fresh;
      state.calls.push('end');
      return HttpResponse.json(fresh);
    }),
  );
  return state;
}

const button = async (name: string) =>
  (await rowOf('Branch two')).getByRole<HTMLButtonElement>('button', {
    name: new RegExp(`^${name}`),
  });
const openQr = () => openApp('/Qr');

test('displaying a new payee waits for a second admin, says so, and can be withdrawn', async () => {
  const state = serverHas(fresh);
  const { user } = openQr();
  expect((await rowOf('Branch two')).getByText(fresh.displayNote)).toBeTruthy();
  await user.click(await button('Display'));
  const dialog = await openedConfirm();
  expect(dialog.getByText(/^New payee\. Needs a second admin's approval\./).textContent).toContain(
    'The request waits on the screen of meera or ravi, who can approve it.',
  );
  await user.click(dialog.getByRole('button', { name: 'Replace Front desk' }));
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Branch two is not on display yet.')).toBeTruthy();
  expect(alert.getByText(waits)).toBeTruthy();
  expect(alert.getByText('Once approved, it replaces Front desk (front@okaxis).')).toBeTruthy();

  const asked = `You asked to display this on ${formatMoment(at)}. Another admin has to approve it.`;
  const note = await (await rowOf('Branch two')).findByText(asked);
  expect((await rowOf('Branch two')).getByText('hide')).toBeTruthy();
  await waitFor(async () => expect((await button('Withdraw')).disabled).toBe(false));
  const display = await button('Display');
  expect(display.disabled).toBe(true);
  expect(display.getAttribute('aria-describedby')).toBe(note.id);

  await user.click(await button('Withdraw'));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('q2');
  expect(state.calls).toEqual(['replace q1', 'end']);
});

test('the notice that a request is waiting disappears once another admin has answered it', async () => {
  const state = serverHas(fresh);
  const { user, queryClient } = openQr();
  await rowOf('Branch two');
  await user.click(await button('Display'));
  await user.click((await openedConfirm()).getByRole('button', { name: 'Display as well' }));
  await screen.findByText(waits);
  state.code = { ...hidden, status: 'display', displayBy: null };
  await queryClient.invalidateQueries({ queryKey: ['qr'] });
  await waitFor(() => expect(screen.queryByText(waits)).toBeNull());
});

test('another admin sees what to compare, and approves with Display', async () => {
  const state = serverHas(others);
  const { user } = openQr();
  expect((await rowOf('Branch two')).getByText(approves)).toBeTruthy();
  const display = await button('Display');
  expect(display.disabled).toBe(false);
  expect(display.title).toBe(approves);
  expect(display.getAttribute('aria-description')).toBe(approves);
  await user.click(display);
  const dialog = await openedConfirm();
  expect(dialog.getByText(approves)).toBeTruthy();
  expect(dialog.getByText('ravi asked to replace this one.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Replace Front desk' }));
  expect(await (await rowOf('Branch two')).findByText('display')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(state.calls).toEqual(['replace q1']);
});

test('another admin can decline, and a refusal by the server is shown', async () => {
  const state = serverHas(others);
  server.use(
    http.delete(
      '*/api/qr/q2/display-request',
      () => refusal(409, 'no_display_request', 'ravi has withdrawn it.'),
      { once: true },
    ),
  );
  const { user } = openQr();
  await rowOf('Branch two');
  await user.click(await button('Decline'));
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to cancel the request to display')).toBeTruthy();
  expect(alert.getByText('Branch two: ravi has withdrawn it.')).toBeTruthy();
  await waitFor(async () => expect((await button('Decline')).disabled).toBe(false));
  await user.click(await button('Decline'));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Decline/ })).toBeNull());
  expect(state.calls).toEqual(['end']);
});

test.each([
  ['a lost answer', () => HttpResponse.error()],
  ['a broken server', () => refusal(500, 'internal_error', 'Oops.')],
])('%s leaves it uncertain whether the request was cancelled', async (_, answer) => {
  serverHas(others);
  server.use(http.delete('*/api/qr/q2/display-request', answer));
  const { user } = openQr();
  await rowOf('Branch two');
  await user.click(await button('Decline'));
  const alert = within(await screen.findByRole('alert'));
  const uncertain = 'It is not certain whether the request was cancelled.';
  expect(alert.getByText(uncertain)).toBeTruthy();
});

test('the panel shows the picture that customers see next to the uploaded one', async () => {
  serverHas(others);
  const { user } = openQr();
  await user.click(await screen.findByRole('button', { name: 'Branch two' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Branch two' }));
  const pictures = panel
    .getAllByRole('figure')
    .map((figure) => [
      figure.querySelector('figcaption')?.textContent,
      figure.querySelector('img')?.getAttribute('src'),
    ]);
  expect(pictures).toEqual([
    ['Customers see', hidden.qrImage],
    ['Uploaded', hidden.uploadedImage],
  ]);
  // What to compare before approving.
  expect(panel.getByText(approves)).toBeTruthy();
});

test('a code that could not be drawn shows only the uploaded picture', async () => {
  serverHas({ ...hidden, isDrawn: false, qrImage: hidden.uploadedImage });
  const { user } = openQr();
  await user.click(await screen.findByRole('button', { name: 'Branch two' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Branch two' }));
  expect(panel.getAllByRole('figure').map(({ textContent }) => textContent)).toEqual(['Uploaded']);
});
