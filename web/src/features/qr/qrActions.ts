import { useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { sentencesOf } from '../../api/errors';
import { deleteQr, type QrCode, type QrStatus, qrQuery, setQrStatus } from './qrQuery';

interface Failure {
  key: number;
  lines: string[];
}

/** Shows, hides and deletes codes; the list is read again after each, whatever came of it. */
export function useQrActions() {
  const client = useQueryClient();
  const underWay = useRef(new Set<string>());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure | null>(null);

  const run = useCallback(
    async (qr: QrCode, title: string, act: () => Promise<unknown>) => {
      if (underWay.current.has(qr._id)) return;
      underWay.current.add(qr._id);
      setBusy(new Set(underWay.current));
      setFailure(null);
      try {
        await act();
      } catch (error) {
        const lines = [title, ...sentencesOf(error).map((sentence) => `${qr.name}: ${sentence}`)];
        setFailure((now) => ({ key: (now?.key ?? 0) + 1, lines }));
      }
      // The buttons wait for the list, or they would offer what was just done.
      await client.invalidateQueries({ queryKey: qrQuery.queryKey });
      underWay.current.delete(qr._id);
      setBusy(new Set(underWay.current));
    },
    [client],
  );

  const setStatus = useCallback(
    (qr: QrCode, status: QrStatus) =>
      run(qr, 'Failed to update status', () => setQrStatus(qr._id, status)),
    [run],
  );
  const remove = useCallback(
    (qr: QrCode) => run(qr, 'Failed to delete QR', () => deleteQr(qr._id)),
    [run],
  );
  const dismiss = useCallback(() => setFailure(null), []);

  return useMemo(
    () => ({ busy, failure, setStatus, remove, dismiss }),
    [busy, failure, setStatus, remove, dismiss],
  );
}

interface RowActions {
  busy: ReadonlySet<string>;
  onStatus: (qr: QrCode, status: QrStatus) => void;
  onDelete: (qr: QrCode) => void;
}

const RowActionsContext = createContext<RowActions | null>(null);
export const QrRowActions = RowActionsContext.Provider;

export function useRowActions(): RowActions {
  const actions = useContext(RowActionsContext);
  if (!actions) throw new Error('QR actions stand outside the QR table');
  return actions;
}
