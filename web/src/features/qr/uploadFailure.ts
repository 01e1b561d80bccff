import { isOutcomeUnknown, sentenceOf, sentencesOf } from '../../api/errors';
import { type QrCode, type QrUpload, readQrs } from './qrQuery';

const labels = { name: 'QR Name', upiId: 'UPI ID', qrImage: 'QR image' };

/** The server names fields as the call does; the admin knows them by their labels. */
function inTheFormsWords(sentence: string): string {
  return sentence.replace(
    /^(name|upiId|qrImage)\b/,
    (field) => labels[field as keyof typeof labels],
  );
}

/** Why an upload failed. When only the answer was lost the code may be there, and the list is asked. */
export async function uploadFailure(
  error: unknown,
  { name, upiId }: QrUpload,
  /** The codes on hand before, to tell a new one from an old one of the same name. */
  before: readonly QrCode[] | undefined,
): Promise<string[]> {
  const title = 'Upload failed!';
  if (!isOutcomeUnknown(error)) return [title, ...sentencesOf(error).map(inTheFormsWords)];
  try {
    const known = new Set(before?.map((qr) => qr._id));
    // Not through the shared query: one that is cancelled answers with the old list.
    const isThere = (await readQrs()).some(
      (qr) => !known.has(qr._id) && qr.name === name && qr.upiId === upiId,
    );
    const found = isThere
      ? 'It may have been stored: a code with this name and UPI ID is in the table now. Look before you upload again.'
      : 'It is not certain whether it was stored. The table has been read again and does not hold it.';
    return [title, found, sentenceOf(error)];
  } catch {
    const unread =
      'It is not certain whether it was stored, and the table could not be read again. Look before you upload again.';
    return [title, unread, sentenceOf(error)];
  }
}
