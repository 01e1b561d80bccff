import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RefusedError } from '../../api/errors';
import { useIsBusy } from '../../api/rowWork';
import { qrQuery, uploadQr } from './qrQuery';
import { qrWork } from './qrWork';
import { uploadFailure } from './uploadFailure';

interface Draft {
  name: string;
  upiId: string;
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
const emptyDraft: Draft = { name: '', upiId: '', qrImage: null };
const incomplete = 'Please fill all fields and upload a QR image.';

/** The upload form's memory: what is typed, what is under way, and what to tell. */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [notice, setNotice] = useState<Notice | null>(null);
  const isSending = useIsBusy(qrWork, formId);
  const isOnScreen = useIsOnScreen();

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
      change({ qrImage: file });
    } else {
      tell('bad', [incomplete, `“${file.name}” is not an image.`], ['qrImage']);
    }
  };

  /** Returns the first field that needs mending, if any. */
  const send = async (): Promise<string | undefined> => {
    if (qrWork.isBusy(formId)) return;
    const name = draft.name.trim();
    const upiId = draft.upiId.trim();
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
    try {
      await uploadQr({ name, upiId, qrImage });
      setDraft(emptyDraft);
      tellOutcome('good', ['QR uploaded successfully!']);
      return;
    } catch (error) {
      const fields = error instanceof RefusedError ? Object.keys(error.fields) : [];
      tellOutcome('bad', await uploadFailure(error, { name, upiId, qrImage }, known), fields);
      return fields[0];
    } finally {
      task.end();
      // Also after a failure: when only the answer was lost, the code is there.
      void client.invalidateQueries({ queryKey: qrQuery.queryKey });
    }
  };

  return { draft, notice, isSending, change, pickImage, send, dismiss: () => setNotice(null) };
}

function useIsOnScreen() {
  const isOnScreen = useRef(true);
  useEffect(() => {
    isOnScreen.current = true;
    return () => {
      isOnScreen.current = false;
    };
  }, []);
  return () => isOnScreen.current;
}
