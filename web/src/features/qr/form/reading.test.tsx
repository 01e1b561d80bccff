import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp } from '../../../testing/openApp';
import { qrCodes } from '../../../testing/sampleData';
import { refusal, server } from '../../../testing/server';

const png = new File(['png'], 'code.png', { type: 'image/png' });
const other = new File(['other'], 'other.png', { type: 'image/png' });
const name = () => screen.getByLabelText<HTMLInputElement>('QR Name');
const upiId = () => screen.getByLabelText<HTMLInputElement>('UPI ID');
const image = () => screen.getByLabelText<HTMLInputElement>('QR image', { selector: 'input' });
const type = (value: string) => fireEvent.change(upiId(), { target: { value } });
const button = (label: string) => screen.getByRole<HTMLButtonElement>('button', { name: label });
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

const paysTill = {
  payee: 'till@okaxis',
  payeeName: 'Acme Traders',
  amount: null,
  sentence: 'This code pays till@okaxis, Acme Traders.',
  findings: [] as { code: string; sentence: string }[],
  follows: '',
  upiId: 'till@okaxis' as string | null,
};
const notDesk = 'This code pays till@okaxis, not desk@okaxis.';
const follows =
  'It will be stored, but can only be displayed after a second admin has confirmed it.';

/** Reads every picture as one that pays the till, and records the typed UPI IDs. */
function serverReads(answer: (typed: string | null) => Response | Promise<Response> = readsTill) {
  const typed: (string | null)[] = [];
  server.use(
    http.post('*/api/qr/read', async ({ request }) => {
      const body = await request.text();
      typed.push(/name="upiId"\s+(\S+)/.exec(body)?.[1] ?? null);
      return answer(typed.at(-1) ?? null);
    }),
  );
  return typed;
}

const readsTill = (typed: string | null) =>
  HttpResponse.json({
    ...paysTill,
    ...(typed === 'desk@okaxis' && {
      findings: [{ code: 'other_payee', sentence: notDesk }],
      follows,
    }),
  });

async function openForm() {
  const app = openApp('/Qr');
  await screen.findByText('Branch two');
  return app;
}

test('a picked picture is read at once: it shows the payee and fills in an empty UPI ID', async () => {
  const typed = serverReads();
  const { user } = await openForm();
  await user.upload(image(), png);
  expect((await screen.findByText(paysTill.sentence)).closest('[aria-live="polite"]')).toBeTruthy();
  expect(upiId().value).toBe('till@okaxis');
  const filled = screen.getByText('Filled in from the image');
  expect(upiId().getAttribute('aria-describedby')).toBe(filled.id);
  expect(screen.queryByText(follows)).toBeNull();

  // The next picture has no address, so nothing of the last one stays.
  serverReads(() => HttpResponse.json({ ...paysTill, sentence: 'Nobody.', upiId: null }));
  await user.upload(image(), other);
  await screen.findByText('Nobody.');
  expect(upiId().value).toBe('');
  expect(screen.queryByText('Filled in from the image')).toBeNull();
  expect(typed).toEqual([null]);
});

test('the picture is compared with the typed UPI ID once, after a pause, and the typed text stays', async () => {
  const typed = serverReads();
  const { user } = await openForm();
  type('desk');
  await user.upload(image(), png);
  await screen.findByText(paysTill.sentence);
  expect(upiId().value).toBe('desk');
  for (const value of ['desk@', 'desk@ok', 'desk@okaxis']) {
    type(value);
    await pause(30);
  }
  const finding = await screen.findByText(notDesk);
  expect(within(finding.closest('ul') as HTMLElement).getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByText(follows)).toBeTruthy();
  expect(upiId().value).toBe('desk@okaxis');
  // An incomplete address is not compared, and typing each letter sends no request.
  expect(typed).toEqual([null, 'desk@okaxis']);

  type('till@okaxis');
  await waitFor(() => expect(screen.queryByText(notDesk)).toBeNull());
  expect(screen.getByText(paysTill.sentence)).toBeTruthy();
  expect(screen.queryByText(follows)).toBeNull();
});

test('a request that is replaced by a newer one is cancelled, and its result is never shown', async () => {
  const cancelled: string[] = [];
  let isFirst = true;
  server.use(
    http.post('*/api/qr/read', async ({ request }) => {
      if (!isFirst) return HttpResponse.json({ ...paysTill, sentence: 'The second.' });
      isFirst = false;
      request.signal.addEventListener('abort', () => cancelled.push('first'));
      await pause(600);
      return HttpResponse.json({ ...paysTill, sentence: 'The first.', upiId: 'first@okaxis' });
    }),
  );
  const { user } = await openForm();
  await user.upload(image(), png);
  await screen.findByText('Reading the picture…');
  await pause(50);
  await user.upload(image(), other);
  await screen.findByText('The second.');
  await pause(700);
  expect(cancelled).toEqual(['first']);
  expect(screen.queryByText('The first.')).toBeNull();
  expect(upiId().value).toBe('till@okaxis');
});

test('a picture that cannot be read shows an error, can be read again, and can still be uploaded', async () => {
  server.use(
    http.post('*/api/qr/read', () => HttpResponse.error()),
    http.post('*/api/qr/upload', () => HttpResponse.json(qrCodes[0])),
  );
  const { user } = await openForm();
  await user.type(name(), 'Till 3');
  type('till@okaxis');
  await user.upload(image(), png);
  await screen.findByText(/^The picture could not be read now\. The server cannot be reached\./);
  expect(screen.getByText(/You can still upload it/)).toBeTruthy();
  serverReads();
  await user.click(button('Read again'));
  await screen.findByText(paysTill.sentence);

  serverReads(() => refusal(422, 'invalid_input', 'Bad.', { qrImage: 'The file is damaged.' }));
  await user.upload(image(), other);
  expect((await screen.findByText('The file is damaged.')).closest('[aria-live]')).toBeTruthy();
  await user.click(button('Upload'));
  expect(await screen.findByText('QR uploaded successfully!')).toBeTruthy();
  expect(screen.queryByText('The file is damaged.')).toBeNull();
});

test('a picture that is too large shows the limit, and does not offer to upload it anyway', async () => {
  serverReads(() => refusal(413, 'body_too_large', 'The limit is 5 MB.'));
  const { user } = await openForm();
  await user.upload(image(), png);
  await screen.findByText('The limit is 5 MB.');
  expect(screen.queryByText(/You can still upload it/)).toBeNull();
});

test('a QR made from the UPI ID becomes the picture of the form and is read like any other', async () => {
  const typed = serverReads();
  const asked: unknown[] = [];
  server.use(
    http.post('*/api/qr/draw', async ({ request }) => {
      asked.push(await request.json());
      return new HttpResponse('drawn', { headers: { 'Content-Type': 'image/png' } });
    }),
  );
  const { user } = await openForm();
  const make = button('Make the QR from the UPI ID');
  await user.click(make);
  await screen.findByText('Fill in the UPI ID first, like name@bank.');
  await waitFor(() => expect(document.activeElement).toBe(upiId()));
  expect(upiId().getAttribute('aria-invalid')).toBe('true');
  type(' till@okaxis');
  await user.click(make);
  // The name is part of the code too.
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('The QR could not be made.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(name()));
  await user.type(name(), 'Till 3');
  await user.click(make);
  await screen.findByRole('img', { name: 'Preview of till@okaxis.png' });
  await screen.findByText(paysTill.sentence);
  expect(asked).toEqual([{ upiId: 'till@okaxis', name: 'Till 3' }]);
  expect(typed).toEqual(['till@okaxis']);

  server.use(
    http.post('*/api/qr/draw', () =>
      refusal(422, 'invalid_input', 'Bad.', { upiId: 'upiId is not a UPI address.' }),
    ),
  );
  await user.click(make);
  await screen.findByText('UPI ID is not a UPI address.');
  expect(upiId().getAttribute('aria-invalid')).toBe('true');
});
