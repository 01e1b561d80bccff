import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { qrCodes } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const [shown, hidden] = qrCodes;

function serverKeeps() {
  let codes = [...qrCodes];
  const calls = { lists: 0, changes: [] as unknown[] };
  server.use(
    http.get('*/api/qr', () => {
      calls.lists += 1;
      return HttpResponse.json(codes);
    }),
    http.patch('*/api/qr/status/:id', async ({ request, params }) => {
      const { status } = (await request.json()) as { status: 'display' | 'hide' };
      calls.changes.push([params.id, status]);
      codes = codes.map((qr) => (qr._id === params.id ? { ...qr, status } : qr));
      return HttpResponse.json(codes[0]);
    }),
    http.delete('*/api/qr/:id', ({ params }) => {
      calls.changes.push([params.id, 'deleted']);
      codes = codes.filter((qr) => qr._id !== params.id);
      return HttpResponse.json({ message: 'Deleted.' });
    }),
  );
  return calls;
}

async function displayAsWell(user: UserEvent, row: Awaited<ReturnType<typeof rowOf>>) {
  await user.click(row.getByRole('button', { name: /^Display/ }));
  await user.click((await openedConfirm()).getByRole('button', { name: 'Display as well' }));
}

async function askToDelete() {
  const app = openApp('/Qr');
  const row = await rowOf('Front desk');
  await app.user.click(row.getByRole('button', { name: /^Delete/ }));
  return { ...app, dialog: await openedConfirm() };
}

test('the table shows its columns and a thumbnail 100 pixels wide that names its code', async () => {
  openApp('/Qr');
  const row = await rowOf('Front desk');
  expect(screen.getByRole('heading', { level: 2, name: 'QR Table' })).toBeTruthy();
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Name',
    'UPI ID',
    'QR Image',
    'Status',
    'Action',
  ]);
  const image = row.getByRole('img', { name: 'QR code of Front desk' });
  expect(image.getAttribute('width')).toBe('100');
  expect(image.getAttribute('src')).toBe(shown?.qrImage);
  expect(row.getByRole('button', { name: 'Display, Front desk' })).toBeTruthy();
});

test.each([
  ['Front desk', 'display', true, false],
  ['Branch two', 'hide', false, true],
])(
  '%s is on %s: Display disabled %s, Hide disabled %s',
  async (name, status, noDisplay, noHide) => {
    openApp('/Qr');
    const row = await rowOf(name);
    expect(row.getByText(status)).toBeTruthy();
    expect(row.getByRole<HTMLButtonElement>('button', { name: /^Display/ }).disabled).toBe(
      noDisplay,
    );
    expect(row.getByRole<HTMLButtonElement>('button', { name: /^Hide/ }).disabled).toBe(noHide);
    expect(row.getByRole<HTMLButtonElement>('button', { name: /^Delete/ }).disabled).toBe(false);
  },
);

test('Hide takes effect at once and the list is refetched', async () => {
  const calls = serverKeeps();
  const { user } = openApp('/Qr');
  const row = await rowOf('Front desk');
  await user.click(row.getByRole('button', { name: /^Hide/ }));
  expect(await row.findByText('hide')).toBeTruthy();
  expect(calls).toEqual({ lists: 2, changes: [[shown?._id, 'hide']] });
});

test('a refused status change shows an error and the reason', async () => {
  server.use(http.patch('*/api/qr/status/:id', () => refusal(404, 'qr_not_found', 'It is gone.')));
  const { user } = openApp('/Qr');
  const row = await rowOf('Branch two');
  await displayAsWell(user, row);
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to update status')).toBeTruthy();
  expect(alert.getByText(/It is gone\./)).toBeTruthy();
});

test('Delete asks first and shows which code it is; Cancel has the focus and deletes nothing', async () => {
  const calls = serverKeeps();
  const { user, dialog } = await askToDelete();
  expect(dialog.getByText('Are you sure you want to delete this QR?')).toBeTruthy();
  expect(dialog.getByText('Front desk')).toBeTruthy();
  expect(dialog.getByText('front@okaxis')).toBeTruthy();
  expect(dialog.getByRole('img', { name: 'QR code of Front desk' })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Cancel');
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(calls.changes).toEqual([]);
});

test('a confirmed deletion removes the row and refetches the list', async () => {
  const calls = serverKeeps();
  const { user, dialog } = await askToDelete();
  await user.click(dialog.getByRole('button', { name: /^Delete/ }));
  await waitFor(() => expect(screen.queryByText('Front desk')).toBeNull());
  expect(calls).toEqual({ lists: 2, changes: [[shown?._id, 'deleted']] });
});

test('a refused deletion shows an error and the reason', async () => {
  server.use(http.delete('*/api/qr/:id', () => refusal(404, 'qr_not_found', 'It is gone.')));
  const { user, dialog } = await askToDelete();
  await user.click(dialog.getByRole('button', { name: /^Delete/ }));
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to delete QR')).toBeTruthy();
  expect(alert.getByText(/It is gone\./)).toBeTruthy();
});

test('a deletion or a status change without an answer is reported as uncertain', async () => {
  server.use(
    http.delete('*/api/qr/:id', () => HttpResponse.error()),
    http.patch('*/api/qr/status/:id', () => refusal(500, 'internal_error', 'Oops.')),
  );
  const { user, dialog } = await askToDelete();
  await user.click(dialog.getByRole('button', { name: /^Delete/ }));
  await screen.findByText('It is not certain whether the QR was deleted.');
  await displayAsWell(user, await rowOf('Branch two'));
  await screen.findByText('It is not certain whether the status was updated.');
});

test('the error about one code stays while another code is changed', async () => {
  server.use(
    http.patch('*/api/qr/status/:id', ({ params }) =>
      params.id === hidden?._id
        ? refusal(404, 'qr_not_found', 'It is gone.')
        : HttpResponse.json(shown),
    ),
  );
  const { user } = openApp('/Qr');
  const branch = await rowOf('Branch two');
  await displayAsWell(user, branch);
  await screen.findByText(/It is gone\./);
  const hide = (await rowOf('Front desk')).getByRole<HTMLButtonElement>('button', {
    name: /^Hide/,
  });
  await user.click(hide);
  await waitFor(() => expect(hide.disabled).toBe(false));
  expect(screen.getByText('Branch two: It is gone.')).toBeTruthy();
});

test('a search filters the list, but does not change the number on display', async () => {
  const { user } = openApp('/Qr');
  expect(await screen.findByText('2 QR codes, 1 on display')).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'branch');
  expect(await screen.findByText('1 of 2 QR codes found, 1 on display in all')).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), ' nowhere');
  expect(await screen.findByText('0 of 2 QR codes found, 1 on display in all')).toBeTruthy();
  await user.clear(screen.getByRole('searchbox'));
  expect(await screen.findByText('2 QR codes, 1 on display')).toBeTruthy();
});

test('the message about an upload disappears once a code is deleted', async () => {
  serverKeeps();
  server.use(http.post('*/api/qr/upload', () => HttpResponse.json(shown)));
  const { user } = openApp('/Qr');
  const row = await rowOf('Front desk');
  await user.type(screen.getByLabelText('QR Name'), 'Till 3');
  await user.type(screen.getByLabelText('UPI ID'), 'till@okaxis');
  const png = new File(['png'], 'code.png', { type: 'image/png' });
  await user.upload(screen.getByLabelText('QR image', { selector: 'input' }), png);
  await user.click(screen.getByRole('button', { name: 'Upload' }));
  expect(await screen.findByText('QR uploaded successfully!')).toBeTruthy();
  await user.click(row.getByRole('button', { name: /^Delete/ }));
  await user.click((await openedConfirm()).getByRole('button', { name: /^Delete/ }));
  await waitFor(() => expect(screen.queryByText('Front desk')).toBeNull());
  expect(screen.queryByText('QR uploaded successfully!')).toBeNull();
});
