import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NoAnswerError } from '../../api/errors';
import { useIsBusy } from '../../api/rowWork';
import type { Failure } from './formWork';
import { loadLater } from './qrParts';
import { qrQuery } from './qrQuery';
import { qrWork } from './qrWork';

interface Draft {
  name: string;
  upiId: string;
  /** Whose the UPI ID is. What an admin has typed, or emptied, no picture changes. */
  upiIdBy: 'admin' | 'image' | null;
  qrImage: File | null;
}

interface Notice {
  key: number;
  tone: 'bad' | 'good';
  lines: string[];
  /** The fields to mend. */
  fields: string[];
}

/** The form's place among the rows that are worked on. */
const formId = 'upload';
const emptyDraft: Draft = { name: '', upiId: '', upiIdBy: null, qrImage: null };
const incomplete = 'Please fill all fields and upload a QR image.';

/** Whether it could be one; which ones are taken the server decides. */
const looksLikeUpiId = (text: string) => /^[a-z\d._-]{2,}@[a-z][a-z\d.-]+$/i.test(text);

/** Not even what would have sent it is here. */
const unfetched = (title: string): Failure => ({
  lines: [title, new NoAnswerError().message],
  fields: [],
});

/** The upload form's memory: what is typed, what is under way, and what to tell. */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);
  const isSending = useIsBusy(qrWork, formId);

  const tell = (tone: Notice['tone'], lines: string[], fields: string[] = []) =>
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

  const upiId = draft.upiId.trim();
  const canDraw = looksLikeUpiId(upiId) && !isSending;

  /** Returns the first field that needs mending, if any. */
  const draw = async (): Promise<string | undefined> => {
    if (isDrawing) return;
    setIsDrawing(true);
    const made = await loadLater().then(
      ({ drawPicture }) => drawPicture(upiId, draft.name.trim()),
      () => unfetched('The QR could not be made.'),
    );
    setIsDrawing(false);
    if (made instanceof File) {
      change({ qrImage: made, upiIdBy: 'admin' });
      return;
    }
    tell('bad', made.lines, made.fields);
    return made.fields[0];
  };

  /** Returns the first field that needs mending, if any. */
  const send = async (isOnScreen: () => boolean): Promise<string | undefined> => {
    if (qrWork.isBusy(formId)) return;
    const name = draft.name.trim();
    const { qrImage } = draft;
    change({ name, upiId });
    if (!name || !upiId || !qrImage) {
      const missing = [!name && 'name', !upiId && 'upiId', !qrImage && 'qrImage'].filter(Boolean);
      tell('bad', [incomplete], missing as string[]);
      return missing[0] as string;
    }

    const task = qrWork.begin(formId);
    if (!task) return;
    const tellOutcome = (tone: Notice['tone'], lines: string[], fields: string[] = []) =>
      // Who has left the form is told where they are now.
      isOnScreen() ? tell(tone, lines, fields) : task.tell({ tone, lines });
    const known = client.getQueryData(qrQuery.queryKey);
    setNotice(null);
    const failure = await loadLater().then(
      ({ sendUpload }) => sendUpload({ name, upiId, qrImage }, known),
      () => unfetched('Upload failed!'),
    );
    if (failure) tellOutcome('bad', failure.lines, failure.fields);
    else {
      setDraft(emptyDraft);
      tellOutcome('good', ['QR uploaded successfully!']);
    }
    task.end();
    // Also after a failure: when only the answer was lost, the code is there.
    void client.invalidateQueries({ queryKey: qrQuery.queryKey });
    return failure?.fields[0];
  };

  return {
    draft,
    /** What the admin has typed, once it could be an address. */
    typedUpiId: draft.upiIdBy === 'admin' && looksLikeUpiId(upiId) ? upiId : '',
    notice,
    isSending,
    isDrawing,
    canDraw,
    change,
    pickImage,
    fillUpiId,
    draw,
    send,
    dismiss: () => setNotice(null),
  };
}
