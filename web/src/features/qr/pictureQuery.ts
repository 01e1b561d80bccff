import { api, dataOf, type Schemas } from '../../api/client';
import type { QrCode } from '../../entities/qr/qr';

export type PictureRead = Schemas['QrGlance'];

export interface QrUpload {
  name: string;
  upiId: string;
  qrImage: File;
}

// OpenAPI describes a file as a string; the serializers below send the file itself.
const asFile = '';

export const uploadQr = (upload: QrUpload) =>
  dataOf<QrCode>(
    api.POST('/api/qr/upload', {
      body: { ...upload, qrImage: asFile },
      bodySerializer: () => formOf({ ...upload }),
    }),
  );

/** Reads what a picture pays and compares it with the typed UPI ID, if any. Nothing is stored. */
export const readPicture = (qrImage: File, upiId: string, signal: AbortSignal) =>
  dataOf<PictureRead>(
    api.POST('/api/qr/read', {
      body: { upiId, qrImage: asFile },
      bodySerializer: () => formOf(upiId ? { qrImage, upiId } : { qrImage }),
      signal,
    }),
  );

/** Draws a picture that pays this UPI ID. */
export async function drawQr(upiId: string, name: string): Promise<File> {
  const drawn = await dataOf<ReadableStream | null>(
    api.POST('/api/qr/draw', { body: { upiId, name }, parseAs: 'stream' }),
  );
  return new File([await new Response(drawn).blob()], `${upiId}.png`, { type: 'image/png' });
}

function formOf(parts: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.append(name, part);
  return form;
}
