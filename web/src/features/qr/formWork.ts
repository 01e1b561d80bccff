import { isOutcomeUnknown, RefusedError, sentenceOf, sentencesOf } from '../../api/errors';
import { drawQr, type QrUpload, uploadQr } from './pictureQuery';
import { type QrCode, readQrs } from './qrQuery';

/* What the buttons of the form do. They never throw: whatever goes wrong comes back in words. */

export interface Failure {
  lines: string[];
  /** The fields to mend. */
  fields: string[];
}

/** Undefined when it is stored. */
export async function sendUpload(
  upload: QrUpload,
  /** The codes on hand before, to tell a new one from an old one of the same name. */
  before: readonly QrCode[] | undefined,
): Promise<Failure | undefined> {
  try {
    await uploadQr(upload);
    return;
  } catch (error) {
    if (!isOutcomeUnknown(error)) return failureOf('Upload failed!', error);
    const whatIsThere = await lookFor(upload, before);
    return { lines: ['Upload failed!', whatIsThere, sentenceOf(error)], fields: [] };
  }
}

export async function drawPicture(upiId: string, name: string): Promise<File | Failure> {
  const title = 'The QR could not be made.';
  if (!name) {
    return {
      lines: [title, 'Fill in the QR Name first: it stands in the code.'],
      fields: ['name'],
    };
  }
  try {
    return await drawQr(upiId, name);
  } catch (error) {
    return failureOf(title, error);
  }
}

/** When only the answer was lost the code may be there. */
async function lookFor(
  { name, upiId }: QrUpload,
  before: readonly QrCode[] | undefined,
): Promise<string> {
  try {
    const known = new Set(before?.map((qr) => qr._id));
    // Not through the shared query: one that is cancelled answers with the old list.
    const isThere = (await readQrs()).some(
      (qr) => !known.has(qr._id) && qr.name === name && qr.upiId === upiId,
    );
    return isThere
      ? 'It may have been stored: a code with this name and UPI ID is in the table now. Look before you upload again.'
      : 'It is not certain whether it was stored. The table has been read again and does not hold it.';
  } catch {
    return 'It is not certain whether it was stored, and the table could not be read again. Look before you upload again.';
  }
}

const failureOf = (title: string, error: unknown): Failure => ({
  lines: [title, ...sentencesOf(error).map(inTheFormsWords)],
  fields: error instanceof RefusedError ? Object.keys(error.fields) : [],
});

const labels = { name: 'QR Name', upiId: 'UPI ID', qrImage: 'QR image' };

/** The server names fields as the call does; the admin knows them by their labels. */
function inTheFormsWords(sentence: string): string {
  return sentence.replace(
    /^(name|upiId|qrImage)\b/,
    (field) => labels[field as keyof typeof labels],
  );
}
