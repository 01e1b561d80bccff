import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIsBusy } from '../../../api/rowTasks';
import { qrTasks } from '../../../entities/qr/qrTasks';
import * as uploadActions from './uploadActions';
import { type Draft, emptyDraft, formId, incomplete, type UploadForm } from './uploadActions';

/** The name of the first field to correct, if any. */
type FieldToCorrect = Promise<string | undefined>;

interface Notice {
  key: number;
  tone: 'bad' | 'good';
  lines: string[];
  /** The names of the fields to correct. */
  fields: string[];
}

/** A rough check: the server decides which UPI IDs are valid. */
const looksLikeUpiId = (text: string) => /^[a-z\d._-]{2,}@[a-z][a-z\d.-]+$/i.test(text);

/** The state of the upload form: the input, the work in progress and the message. */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);
  const isSending = useIsBusy(qrTasks, formId);

  // An admin who works on a code has seen the success message, and may be deleting the code that it is about.
  useEffect(
    () => qrTasks.subscribe(() => setNotice((now) => (now?.tone === 'good' ? null : now))),
    [],
  );

  const showNotice: UploadForm['showNotice'] = (tone, lines, fields = []) =>
    // A new key makes screen readers read the same text again.
    setNotice((now) => ({ key: (now?.key ?? 0) + 1, tone, lines, fields }));

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    // The message was about the previous input.
    setNotice(null);
  };

  const pickImage = (file: File) => {
    if (file.type.startsWith('image/')) {
      change({ qrImage: file, ...(draft.upiId.trim() ? {} : { upiIdBy: null }) });
    } else {
      showNotice('bad', [incomplete, `“${file.name}” is not an image.`], ['qrImage']);
    }
  };

  const fillUpiId = (found: string | null) =>
    setDraft((now) =>
      now.upiIdBy === 'admin'
        ? now
        : { ...now, upiId: found ?? '', upiIdBy: found === null ? null : 'image' },
    );

  const form = { draft, change, showNotice };
  const draw = async (): FieldToCorrect => {
    if (isDrawing) return;
    setIsDrawing(true);
    const fieldToCorrect = await uploadActions.draw(form);
    setIsDrawing(false);
    return fieldToCorrect;
  };

  const send = async (isOnScreen: () => boolean): FieldToCorrect => {
    // Before anything else: a second press, here or in a reopened form, must send nothing.
    const task = qrTasks.begin(formId);
    if (!task) return;
    setNotice(null);
    return uploadActions.send(form, client, task, isOnScreen);
  };

  const upiId = draft.upiId.trim();
  return {
    draft,
    /** The UPI ID that the admin has typed, once it looks like one. */
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
