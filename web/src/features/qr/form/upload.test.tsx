import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp } from '../../../testing/openApp';
import { qrCodes, swapped } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const incomplete = 'Please fill all fields and upload a QR image.';
const png = new File(['png'], 'code.png', { type: 'image/png' });
const name = () => screen.getByLabelText<HTMLInputElement>('QR Name');
const upiId = () => screen.getByLabelText<HTMLInputElement>('UPI ID');
const image = () => screen.getByLabelText<HTMLInputElement>('QR image', { selector: 'input' });
const uploadButton = () => screen.getByRole('button', { name: 'Upload' });

async function fill() {
  const app = openApp('/Qr');
  await screen.findByText('Branch two');
  await app.user.type(name(), '  Till 3 ');
  await app.user.type(upiId(), ' till@okaxis');
  await app.user.upload(image(), png);
  return app;
}

function serverTakes(seen: string[] = [], answered: Promise<unknown> = delay(50)) {
  let lists = 0;
  server.use(
    http.post('*/api/qr/upload', async ({ request }) => {
      const body = await request.text();
      seen.push(body);
      await answered;
      return HttpResponse.json(qrCodes[0]);
    }),
    http.get('*/api/qr', () => {
      lists += 1;
      return HttpResponse.json(qrCodes);
    }),
  );
  return { seen, lists: () => lists };
}

test('the form accepts images only and shows the format of a UPI ID', async () => {
  openApp('/Qr');
  await screen.findByText('Branch two');
  expect(image().accept).toBe('image/*');
  expect(upiId().placeholder).toMatch(/^\w+@\w+$/);
});

test('a name is limited to the length that the server accepts, and the form says so', async () => {
  const { user } = openApp('/Qr');
  await screen.findByText('Branch two');
  await user.click(name());
  await user.paste('n'.repeat(79));
  expect(name().getAttribute('aria-describedby')).toBeNull();
  await user.paste('more');
  expect(name().value).toHaveLength(80);
  const note = screen.getByText('At most 80 characters');
  expect(name().getAttribute('aria-describedby')).toBe(note.id);
});

test.each([
  ['everything', '', '', false, 'QR Name'],
  ['the UPI ID', 'Till', '   ', true, 'UPI ID'],
  ['the image', 'Till', 'till@okaxis', false, 'QR image'],
])(
  'without %s nothing is sent and the first missing field has the focus',
  async (_, typed, address, hasImage, gap) => {
    const { seen } = serverTakes();
    // A refused reading gives no address to fill in.
    server.use(http.post('*/api/qr/read', () => refusal(422, 'invalid_input', 'Damaged.')));
    const { user } = openApp('/Qr');
    await screen.findByText('Branch two');
    if (typed) await user.type(name(), typed);
    if (address) await user.type(upiId(), address);
    if (hasImage) await user.upload(image(), png);
    await user.click(uploadButton());
    expect((await screen.findByRole('alert')).textContent).toBe(incomplete);
    const missing = screen.getByLabelText(gap, { selector: 'input' });
    expect(missing.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(missing);
    expect(seen).toEqual([]);
  },
);

test('a file that is not an image is refused at once, by name', async () => {
  openApp('/Qr');
  await screen.findByText('Branch two');
  const pdf = new File(['x'], 'notes.pdf', { type: 'application/pdf' });
  await userEvent.setup({ applyAccept: false }).upload(image(), pdf);
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(incomplete)).toBeTruthy();
  expect(alert.getByText('“notes.pdf” is not an image.')).toBeTruthy();
  expect(screen.queryByRole('img', { name: /Preview/ })).toBeNull();
});

test('a successful upload shows a message, clears the form and the preview, and reloads the list', async () => {
  const { seen, lists } = serverTakes();
  const { user } = await fill();
  expect(screen.getByRole('img', { name: 'Preview of code.png' })).toBeTruthy();
  await user.click(uploadButton());
  expect((await screen.findByRole('alert')).textContent).toBe('QR uploaded successfully!');
  expect(name().value).toBe('');
  expect(upiId().value).toBe('');
  expect(screen.queryByRole('img', { name: /Preview/ })).toBeNull();
  expect(lists()).toBe(2);
  expect(seen[0]).toMatch(/name="name"\s+Till 3\r/);
  expect(seen[0]).toMatch(/name="upiId"\s+till@okaxis\r/);
  expect(seen[0]).toMatch(/name="qrImage"; filename="code.png"/);
});

test('a mismatched upload succeeds and says what was found, as a warning', async () => {
  server.use(http.post('*/api/qr/upload', () => HttpResponse.json(swapped)));
  const { user } = await fill();
  await user.click(uploadButton());
  const alert = await screen.findByRole('alert');
  expect([...alert.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'QR uploaded successfully!',
    ...swapped.reading.findings.map(({ sentence }) => sentence),
    swapped.confirmNote,
  ]);
  expect(alert.className).toContain('warning');
  expect(name().value).toBe('');
});

test('a file that the browser cannot show has no broken preview', async () => {
  await fill();
  fireEvent.error(screen.getByRole('img', { name: 'Preview of code.png' }));
  expect(screen.queryByRole('img', { name: /Preview/ })).toBeNull();
  expect(screen.getByText('code.png')).toBeTruthy();
});

test('an upload in progress cannot be sent twice', async () => {
  let answer = () => {};
  const { seen } = serverTakes([], new Promise<void>((done) => (answer = done)));
  const { user } = await fill();
  await user.click(uploadButton());
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Uploading…' });
  expect(button.disabled).toBe(true);
  await user.type(name(), '{Enter}');
  answer();
  await screen.findByText('QR uploaded successfully!');
  expect(seen).toHaveLength(1);
});

test('a refused upload says why, marks the fields and keeps what was typed', async () => {
  const fields = { qrImage: 'No QR code can be read from this image.' };
  server.use(http.post('*/api/qr/upload', () => refusal(422, 'invalid_input', 'Bad.', fields)));
  const { user } = await fill();
  await user.click(uploadButton());
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Upload failed!')).toBeTruthy();
  expect(alert.getByText('No QR code can be read from this image.')).toBeTruthy();
  expect(name().value).toBe('Till 3');
  expect(upiId().value).toBe('till@okaxis');
  expect(screen.getByRole('img', { name: 'Preview of code.png' })).toBeTruthy();
  expect(image().getAttribute('aria-invalid')).toBe('true');
});

test('an upload that is too large shows the message of the server', async () => {
  server.use(http.post('*/api/qr/upload', () => refusal(413, 'body_too_large', 'At most 5 MB.')));
  const { user } = await fill();
  await user.click(uploadButton());
  expect((await screen.findByRole('alert')).textContent).toBe('Upload failed!At most 5 MB.');
});

/** The response to the upload is lost; after that, the list returns `after()`. */
function answerIsLost(after: () => Response, answer: () => Response = () => HttpResponse.error()) {
  let isSent = false;
  server.use(
    http.post('*/api/qr/upload', () => {
      isSent = true;
      return answer();
    }),
    http.get('*/api/qr', () => (isSent ? after() : HttpResponse.json(qrCodes))),
  );
}
const stored = { ...qrCodes[0], _id: 'q9', name: 'Till 3', upiId: 'till@okaxis' };
const maybeStored =
  'It may have been stored: a code with this name and UPI ID is in the table now. Check before you upload again.';

async function linesAfterUpload() {
  const { user } = await fill();
  await user.click(uploadButton());
  const form = screen.getByRole('form', { name: 'QR Code Upload' });
  const alert = await within(form).findByRole('alert');
  return [...alert.querySelectorAll('p')].map((line) => line.textContent);
}

test.each([
  ['a lost answer', () => HttpResponse.error()],
  ['a broken server', () => refusal(500, 'internal_error', 'Oops.')],
])('after %s a matching code that is in the table now is pointed out', async (_, answer) => {
  answerIsLost(() => HttpResponse.json([stored, ...qrCodes]), answer);
  const lines = await linesAfterUpload();
  expect(lines.slice(0, 2)).toEqual(['Upload failed!', maybeStored]);
  expect(await screen.findByText('Till 3')).toBeTruthy();
  expect(name().value).toBe('Till 3');
});

test('after a lost response, a table without the code leaves the outcome uncertain', async () => {
  answerIsLost(() => HttpResponse.json(qrCodes));
  expect((await linesAfterUpload()).slice(0, 2)).toEqual([
    'Upload failed!',
    'It is not certain whether it was stored. The table was reloaded and does not contain it.',
  ]);
});

test('an older code with the same name and UPI ID is not mistaken for the lost upload', async () => {
  server.use(http.get('*/api/qr', () => HttpResponse.json([stored, ...qrCodes])));
  server.use(http.post('*/api/qr/upload', () => HttpResponse.error()));
  expect((await linesAfterUpload())[1]).toMatch(/^It is not certain/);
});

test('after a lost response, a table that cannot be read is reported too', async () => {
  answerIsLost(() => refusal(404, 'not_found', 'Gone.'));
  expect((await linesAfterUpload()).slice(0, 2)).toEqual([
    'Upload failed!',
    'It is not certain whether it was stored, and the table could not be reloaded. Check before you upload again.',
  ]);
});
