import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const first = new File(['first'], 'first.png', { type: 'image/png' });
const second = new File(['second'], 'second.png', { type: 'image/png' });
const name = () => screen.getByLabelText<HTMLInputElement>('QR Name');
const upiId = () => screen.getByLabelText<HTMLInputElement>('UPI ID');
const image = () => screen.getByLabelText<HTMLInputElement>('QR image', { selector: 'input' });
const button = (label: string) => screen.getByRole<HTMLButtonElement>('button', { name: label });
const make = () => button('Make the QR from the UPI ID');

/** The server draws the QR when the returned function is called. */
function drawsLater(): () => void {
  let draw = () => {};
  const isDrawn = new Promise<void>((done) => {
    draw = done;
  });
  server.use(
    http.post('*/api/qr/draw', async () => {
      await isDrawn;
      return new HttpResponse('drawn', { headers: { 'Content-Type': 'image/png' } });
    }),
  );
  return draw;
}

async function openForm() {
  const app = openApp('/Qr');
  await screen.findByText('Branch two');
  await app.user.type(name(), 'Till 3');
  return app;
}

test('the form is locked while its QR is made, so that the picture and the UPI ID belong together', async () => {
  const draw = drawsLater();
  const { user } = await openForm();
  await user.type(upiId(), 'till@okaxis');
  await user.click(make());
  await waitFor(() => expect(make().getAttribute('aria-busy')).toBe('true'));
  expect(name().readOnly).toBe(true);
  expect(upiId().readOnly).toBe(true);
  expect(image().disabled).toBe(true);
  expect(button('Upload').disabled).toBe(true);

  draw();
  await screen.findByRole('img', { name: 'Preview of till@okaxis.png' });
  expect(upiId().readOnly).toBe(false);
  expect(image().disabled).toBe(false);
  expect(button('Upload').disabled).toBe(false);
});

test('a picture that was picked while the QR was made is not replaced by it', async () => {
  const draw = drawsLater();
  const { user } = await openForm();
  await user.type(upiId(), 'till@okaxis');
  await user.click(make());
  // From a file dialog that was open already.
  fireEvent.change(image(), { target: { files: [first] } });
  await screen.findByRole('img', { name: 'Preview of first.png' });
  draw();
  await screen.findByText(/^The QR was made, but not used: the form was changed meanwhile\./);
  expect(screen.getByRole('img', { name: 'Preview of first.png' })).toBeTruthy();
});

test('a UPI ID that was read from one picture does not stay beside another one', async () => {
  let isReadable = true;
  server.use(
    http.post('*/api/qr/read', () =>
      isReadable
        ? HttpResponse.json({
            ...{ payee: 'till@okaxis', payeeName: null, amount: null, findings: [], follows: '' },
            ...{ sentence: 'It pays till@okaxis.', upiId: 'till@okaxis' },
          })
        : new HttpResponse(null, { status: 500 }),
    ),
  );
  const { user } = await openForm();
  await user.upload(image(), first);
  await waitFor(() => expect(upiId().value).toBe('till@okaxis'));
  isReadable = false;
  await user.upload(image(), second);
  await screen.findByText(/^The picture could not be read now\./);
  expect(upiId().value).toBe('');
  expect(screen.queryByText('Filled in from the image')).toBeNull();
});
