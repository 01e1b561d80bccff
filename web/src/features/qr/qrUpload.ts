import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { RefusedError, sentencesOf } from '../../api/errors';
import { qrQuery, uploadQr } from './qrQuery';

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

const emptyDraft: Draft = { name: '', upiId: '', qrImage: null };
const incomplete = 'Please fill all fields and upload a QR image.';

/** The upload form's memory: what is typed, what is under way, and what to tell. */
export function useQrUpload() {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isSending, setIsSending] = useState(false);
  // A ref, because two submits may come before one render.
  const underWay = useRef(false);

  const tell = (tone: Notice['tone'], lines: string[], fields: string[] = []) =>
    // A new key makes a screen reader read the same words again.
    setNotice((now) => ({ key: (now?.key ?? 0) + 1, tone, lines, fields }));

  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));

  const pickImage = (file: File) => {
    if (file.type.startsWith('image/')) {
      change({ qrImage: file });
      setNotice(null);
    } else {
      tell('bad', [incomplete, `“${file.name}” is not an image.`], ['qrImage']);
    }
  };

  /** Returns the first field that needs mending, if any. */
  const send = async (): Promise<string | undefined> => {
    if (underWay.current) return;
    const name = draft.name.trim();
    const upiId = draft.upiId.trim();
    const { qrImage } = draft;
    change({ name, upiId });
    if (!name || !upiId || !qrImage) {
      const missing = [!name && 'name', !upiId && 'upiId', !qrImage && 'qrImage'].filter(Boolean);
      tell('bad', [incomplete], missing as string[]);
      return missing[0] as string;
    }

    underWay.current = true;
    setIsSending(true);
    setNotice(null);
    try {
      await uploadQr({ name, upiId, qrImage });
      setDraft(emptyDraft);
      tell('good', ['QR uploaded successfully!']);
      return;
    } catch (error) {
      const fields = error instanceof RefusedError ? Object.keys(error.fields) : [];
      tell('bad', ['Upload failed!', ...sentencesOf(error)], fields);
      return fields[0];
    } finally {
      underWay.current = false;
      setIsSending(false);
      // Also after a failure: when only the answer was lost, the code is there.
      void client.invalidateQueries({ queryKey: qrQuery.queryKey });
    }
  };

  return { draft, notice, isSending, change, pickImage, send, dismiss: () => setNotice(null) };
}
