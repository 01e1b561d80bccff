import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf, sentencesOf } from '../../../api/errors';
import { type QrCode, qrQuery, readQrs } from '../../../entities/qr/qr';
import type { qrTasks } from '../../../entities/qr/qrTasks';

/*
 * The actions of the form's buttons. They never throw: every failure is shown as a message. They return the name of
 * the first field to correct, if any.
 */

type UploadTask = NonNullable<ReturnType<typeof qrTasks.begin>>;

interface Failure {
  lines: string[];
  /** The names of the fields to correct. */
  fields: string[];
}

export async function send(
  form: UploadForm,
  client: QueryClient,
  /** Must end before a message is shown: the message about a stored code is removed when other work begins or ends. */
  task: UploadTask,
  isOnScreen: () => boolean,
): Promise<string | undefined> {
  const name = form.draft.name.trim();
  const upiId = form.draft.upiId.trim();
  const { qrImage } = form.draft;
  form.change({ name, upiId });
  if (!name || !upiId || !qrImage) {
    const missing = [!name && 'name', !upiId && 'upiId', !qrImage && 'qrImage'].filter(Boolean);
    task.end();
    form.showNotice('bad', [incomplete], missing as string[]);
    return missing[0] as string;
  }

  const showNotice: UploadForm['showNotice'] = (tone, lines, fields) =>
    // An admin who has left the form gets the message as a notice on the current screen.
    isOnScreen() ? form.showNotice(tone, lines, fields) : task.notify({ tone, lines });
  const failure = await store({ name, upiId, qrImage }, client.getQueryData(qrQuery.queryKey));
  task.end();
  if (failure) showNotice('bad', failure.lines, failure.fields);
  else {
    form.change(emptyDraft);
    showNotice('good', ['QR uploaded successfully!']);
  }
  // Also after a failure: if only the response was lost, the code is stored.
  void client.invalidateQueries({ queryKey: qrQuery.queryKey });
  return failure?.fields[0];
}

export async function draw({ draft, change, showNotice }: UploadForm): Promise<string | undefined> {
  const made = await drawPicture(draft.upiId.trim(), draft.name.trim());
  if (made instanceof File) {
    change({ qrImage: made, upiIdBy: 'admin' });
    return;
  }
  showNotice('bad', made.lines, made.fields);
  return made.fields[0];
}

/** Returns undefined on success. */
async function store(
  upload: QrUpload,
  /** The codes known before the upload, to distinguish a new code from an old one with the same name. */
  before: readonly QrCode[] | undefined,
): Promise<Failure | undefined> {
  try {
    await uploadQr(upload);
    return;
  } catch (error) {
    if (!isOutcomeUnknown(error)) return failureOf('Upload failed!', error);
    const whatIsThere = await findUploaded(upload, before);
    return { lines: ['Upload failed!', whatIsThere, sentenceOf(error)], fields: [] };
  }
}

async function drawPicture(upiId: string, name: string): Promise<File | Failure> {
  const title = 'The QR could not be made.';
  if (!upiId) {
    return { lines: [title, 'Fill in the UPI ID first, like name@bank.'], fields: ['upiId'] };
  }
  if (!name) {
    return {
      lines: [title, 'Fill in the QR Name first: it becomes part of the code.'],
      fields: ['name'],
    };
  }
  try {
    return await drawQr(upiId, name);
  } catch (error) {
    return failureOf(title, error);
  }
}

/** If only the response was lost, the code may be stored. */
async function findUploaded(
  { name, upiId }: QrUpload,
  before: readonly QrCode[] | undefined,
): Promise<string> {
  try {
    const known = new Set(before?.map((qr) => qr._id));
    // Not through the shared query, which returns the old list when it is cancelled.
    const isThere = (await readQrs()).some(
      (qr) => !known.has(qr._id) && qr.name === name && qr.upiId === upiId,
    );
    return isThere
      ? 'It may have been stored: a code with this name and UPI ID is in the table now. Check before you upload again.'
      : 'It is not certain whether it was stored. The table was reloaded and does not contain it.';
  } catch {
    return 'It is not certain whether it was stored, and the table could not be reloaded. Check before you upload again.';
  }
}

const failureOf = (title: string, error: unknown): Failure => ({
  lines: [title, ...sentencesOf(error).map(withFieldLabels)],
  fields: error instanceof RefusedError ? Object.keys(error.fields) : [],
});

const labels = { name: 'QR Name', upiId: 'UPI ID', qrImage: 'QR image' };

/** The server uses the field names of the API; the admin knows the fields by their labels. */
function withFieldLabels(sentence: string): string {
  return sentence.replace(
    /^(name|upiId|qrImage)\b/,
    (field) => labels[field as keyof typeof labels],
  );
}

export type PictureRead = Schemas['QrGlance'];

interface QrUpload {
  name: string;
  upiId: string;
  qrImage: File;
}

// OpenAPI describes a file as a string; the serializers below send the file itself.
const asFile = '';

const uploadQr = (upload: QrUpload) =>
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
async function drawQr(upiId: string, name: string): Promise<File> {
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

/** The input of the upload form. */
export interface Draft {
  name: string;
  upiId: string;
  /** Who filled in the UPI ID. A picture never overwrites what an admin has typed or cleared. */
  upiIdBy: 'admin' | 'image' | null;
  qrImage: File | null;
}

/** What the actions of the form's buttons need. */
export interface UploadForm {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** `fields` names the fields to correct. */
  showNotice: (tone: 'bad' | 'good', lines: string[], fields?: string[]) => void;
}

/** The id of the form in `qrTasks`, next to the ids of the rows. */
export const formId = 'upload';
export const emptyDraft: Draft = { name: '', upiId: '', upiIdBy: null, qrImage: null };
export const incomplete = 'Please fill all fields and upload a QR image.';
