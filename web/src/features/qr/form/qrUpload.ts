import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf, sentencesOf } from '../../../api/errors';
import { useIsBusy } from '../../../api/rowTasks';
import { type QrCode, qrQuery, qrTasks, readQrs } from '../../../entities/qr/qr';

/** The input of the upload form. */
interface Draft {
  name: string;
  upiId: string;
  /** Who filled in the UPI ID. A picture never overwrites what an admin has typed or cleared. */
  upiIdBy: 'admin' | 'image' | null;
  qrImage: File | null;
}

interface Notice {
  key: number;
  tone: 'bad' | 'good' | 'warning';
  lines: string[];
  /** The names of the fields to correct. */
  fields: string[];
}

type Failure = Pick<Notice, 'lines' | 'fields'>;

/** The id of the form in `qrTasks`, next to the ids of the rows. */
const formId = 'upload';
const emptyDraft: Draft = { name: '', upiId: '', upiIdBy: null, qrImage: null };
const incomplete = 'Please fill all fields and upload a QR image.';
const changedMeanwhile =
  'The QR was made, but not used: the form was changed meanwhile. Make it again if you need it.';

/** A rough check: the server decides which UPI IDs are valid. */
const looksLikeUpiId = (text: string) => /^[a-z\d._-]{2,}@[a-z][a-z\d.-]+$/i.test(text);

/**
 * The state of the upload form: the input, the work in progress and the message. `draw` and `send` never throw: they
 * show a message and return the name of the first field to correct, if any.
 */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const latestDraft = useRef(draft);
  latestDraft.current = draft;
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);
  const isSending = useIsBusy(qrTasks, formId);
  const name = draft.name.trim();
  const upiId = draft.upiId.trim();
  const { qrImage } = draft;

  // An admin who works on a code has seen the success message, and may be deleting the code that it is about.
  useEffect(
    () => qrTasks.subscribe(() => setNotice((now) => (now?.tone === 'bad' ? now : null))),
    [],
  );

  const showNotice = (tone: Notice['tone'], lines: string[], fields: string[] = []) => {
    // A new key makes screen readers read the same text again.
    setNotice((now) => ({ key: (now?.key ?? 0) + 1, tone, lines, fields }));
    return fields[0];
  };

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    // The message was about the previous input.
    setNotice(null);
  };

  const pickImage = (file: File) => {
    // What was read from the image before says nothing about this one.
    const isTyped = draft.upiIdBy === 'admin' && upiId;
    if (file.type.startsWith('image/'))
      change({ qrImage: file, ...(!isTyped && { upiId: '', upiIdBy: null }) });
    else showNotice('bad', [incomplete, `“${file.name}” is not an image.`], ['qrImage']);
  };

  const fillUpiId = (found: string | null) =>
    setDraft((now) =>
      now.upiIdBy === 'admin'
        ? now
        : { ...now, upiId: found ?? '', upiIdBy: found === null ? null : 'image' },
    );

  const draw = async (): Promise<string | undefined> => {
    if (isDrawing) return;
    setIsDrawing(true);
    const made = await drawPicture(upiId, name);
    setIsDrawing(false);
    if (!(made instanceof File)) return showNotice('bad', made.lines, made.fields);
    // The form is locked meanwhile, but an open file dialog may have returned a picture. A QR of the old UPI ID must
    // not replace what is there now.
    if (latestDraft.current !== draft) return showNotice('warning', [changedMeanwhile]);
    change({ qrImage: made, upiIdBy: 'admin' });
    return undefined;
  };

  const send = async (isOnScreen: () => boolean): Promise<string | undefined> => {
    // Before anything else: a second press, here or in a reopened form, must send nothing.
    const task = qrTasks.begin(formId);
    if (!task) return;
    change({ name, upiId });
    if (!name || !upiId || !qrImage) {
      const missing = Object.entries({ name, upiId, qrImage }).filter(([, value]) => !value);
      task.end();
      return showNotice(
        'bad',
        [incomplete],
        missing.map(([field]) => field),
      );
    }
    // The codes known before the upload, to distinguish a new code from an old one with the same name.
    const before = client.getQueryData(qrQuery.queryKey);
    const stored = await store({ name, upiId, qrImage }, before);
    const failure = 'lines' in stored ? stored : undefined;
    // Before the message, which is removed when other work begins or ends if it is about a stored code.
    task.end();
    // Also after a failure: if only the response was lost, the code is stored.
    void client.invalidateQueries({ queryKey: qrQuery.queryKey });
    if (!failure) change(emptyDraft);
    const { tone, lines } =
      'lines' in stored ? { tone: 'bad' as const, lines: stored.lines } : storedNotice(stored);
    if (isOnScreen()) return showNotice(tone, lines, failure?.fields);
    // An admin who has left the form gets the message as a notice on the current screen.
    task.notify({ tone, lines });
    return undefined;
  };

  return {
    draft,
    /** The UPI ID that the admin has typed, once it looks like one. */
    typedUpiId: draft.upiIdBy === 'admin' && looksLikeUpiId(upiId) ? upiId : '',
    notice,
    isSending,
    isDrawing,
    /** Nothing may be changed or sent while something that was entered is on its way. */
    isLocked: isSending || isDrawing,
    change,
    pickImage,
    fillUpiId,
    draw,
    send,
    dismiss: () => setNotice(null),
  };
}

interface QrUpload {
  name: string;
  upiId: string;
  qrImage: File;
}

// OpenAPI describes a file as a string; the serializers below send the file itself.
const asFile = '';

/** The upload succeeded, but a picture with findings needs attention. */
const storedNotice = ({ reading, confirmNote }: QrCode): Pick<Notice, 'tone' | 'lines'> => {
  const found = reading.findings.map(({ sentence }) => sentence);
  const warning = found.length > 0 ? [...found, confirmNote] : [];
  return {
    tone: found.length > 0 ? 'warning' : 'good',
    lines: ['QR uploaded successfully!', ...warning.filter(Boolean)],
  };
};

async function store(
  upload: QrUpload,
  before: readonly QrCode[] | undefined,
): Promise<QrCode | Failure> {
  try {
    return await dataOf<QrCode>(
      api.POST('/api/qr/upload', {
        body: { ...upload, qrImage: asFile },
        bodySerializer: () => formOf({ ...upload }),
      }),
    );
  } catch (error) {
    if (!isOutcomeUnknown(error)) return failureOf('Upload failed!', error);
    const whatIsThere = await findUploaded(upload, before);
    return { lines: ['Upload failed!', whatIsThere, sentenceOf(error)], fields: [] };
  }
}

/** Draws a picture that pays this UPI ID. */
async function drawPicture(upiId: string, name: string): Promise<File | Failure> {
  const title = 'The QR could not be made.';
  const fillInFirst = (what: string, field: string): Failure => ({
    lines: [title, `Fill in the ${what}`],
    fields: [field],
  });
  if (!upiId) return fillInFirst('UPI ID first, like name@bank.', 'upiId');
  if (!name) return fillInFirst('QR Name first: it becomes part of the code.', 'name');
  try {
    const drawn = await dataOf<ReadableStream | null>(
      api.POST('/api/qr/draw', { body: { upiId, name }, parseAs: 'stream' }),
    );
    return new File([await new Response(drawn).blob()], `${upiId}.png`, { type: 'image/png' });
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

const labels: Record<string, string> = { name: 'QR Name', upiId: 'UPI ID', qrImage: 'QR image' };

/** The server uses the field names of the API; the admin knows the fields by their labels. */
const failureOf = (title: string, error: unknown): Failure => ({
  lines: [
    title,
    ...sentencesOf(error).map((sentence) =>
      sentence.replace(/^(name|upiId|qrImage)\b/, (field) => labels[field] ?? field),
    ),
  ],
  fields: error instanceof RefusedError ? Object.keys(error.fields) : [],
});

export type PictureRead = Schemas['QrGlance'];

/** Reads what a picture pays and compares it with the typed UPI ID, if any. Nothing is stored. */
export const readPicture = (qrImage: File, upiId: string, signal: AbortSignal) =>
  dataOf<PictureRead>(
    api.POST('/api/qr/read', {
      body: { upiId, qrImage: asFile },
      bodySerializer: () => formOf(upiId ? { qrImage, upiId } : { qrImage }),
      signal,
    }),
  );

function formOf(parts: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.append(name, part);
  return form;
}
