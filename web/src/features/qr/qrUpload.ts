import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NoAnswerError } from '../../api/errors';
import { useIsBusy } from '../../api/rowWork';
import { loadLater } from './qrParts';
import { qrWork } from './qrWork';
import { type Draft, emptyDraft, formId, incomplete, type UploadForm } from './uploadDraft';

type Later = Awaited<ReturnType<typeof loadLater>>;
/** The first field that needs mending, if any. */
type ToMend = Promise<string | undefined>;

interface Notice {
  key: number;
  tone: 'bad' | 'good';
  lines: string[];
  /** The fields to mend. */
  fields: string[];
}

/** Whether it could be one; which ones are taken the server decides. */
const looksLikeUpiId = (text: string) => /^[a-z\d._-]{2,}@[a-z][a-z\d.-]+$/i.test(text);

/** The upload form's memory: what is typed, what is under way, and what to tell. */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);
  const isSending = useIsBusy(qrWork, formId);

  // Whoever works on a code now has read that it is stored; it may be the one that is deleted.
  useEffect(
    () => qrWork.subscribe(() => setNotice((now) => (now?.tone === 'good' ? null : now))),
    [],
  );

  const tell: UploadForm['tell'] = (tone, lines, fields = []) =>
    // A new key makes a screen reader read the same words again.
    setNotice((now) => ({ key: (now?.key ?? 0) + 1, tone, lines, fields }));

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    // What was told was about another draft.
    setNotice(null);
  };

  const pickImage = (file: File) => {
    if (file.type.startsWith('image/')) {
      change({ qrImage: file, ...(draft.upiId.trim() ? {} : { upiIdBy: null }) });
    } else {
      tell('bad', [incomplete, `“${file.name}” is not an image.`], ['qrImage']);
    }
  };

  const fillUpiId = (found: string | null) =>
    setDraft((now) =>
      now.upiIdBy === 'admin'
        ? now
        : { ...now, upiId: found ?? '', upiIdBy: found === null ? null : 'image' },
    );

  const form = { draft, change, tell };
  const doLater = (title: string, work: (later: Later) => ToMend, giveUp?: () => void): ToMend =>
    loadLater().then(work, () => {
      giveUp?.();
      // Not even what would have done it is here.
      tell('bad', [title, new NoAnswerError().message]);
      return undefined;
    });

  const draw = async (): ToMend => {
    if (isDrawing) return;
    setIsDrawing(true);
    const toMend = await doLater('The QR could not be made.', (later) => later.draw(form));
    setIsDrawing(false);
    return toMend;
  };

  const send = async (isOnScreen: () => boolean): ToMend => {
    // At once: a second press, here or in a form that was opened anew, must send nothing.
    const task = qrWork.begin(formId);
    if (!task) return;
    setNotice(null);
    const work = (later: Later) => later.send(form, client, task, isOnScreen);
    return doLater('Upload failed!', work, task.end);
  };

  const upiId = draft.upiId.trim();
  return {
    draft,
    /** What the admin has typed, once it could be an address. */
    typedUpiId: draft.upiIdBy === 'admin' && looksLikeUpiId(upiId) ? upiId : '',
    notice,
    isSending,
    isDrawing,
    change,
    pickImage,
    fillUpiId,
    draw,
    send,
    dismiss: () => setNotice(null),
  };
}
