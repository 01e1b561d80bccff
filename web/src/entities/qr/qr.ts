import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { createRowTasks } from '../../api/rowTasks';
import type { Notice } from '../../ui/notices/Notices';

export type QrCode = Schemas['QrCode'];
export type QrReading = QrCode['reading'];

/** A waiting notice ends when its code no longer has a request. */
export type QrNotice = Notice & { isWaiting?: boolean };

/** The changes in progress. */
export const qrTasks = createRowTasks<QrNotice>();

/** Without a token, as customers call it, each would have fewer fields. */
export const readQrs = (signal?: AbortSignal) =>
  dataOf(api.GET('/api/qr', signal ? { signal } : {})) as Promise<QrCode[]>;

export const qrQuery = queryOptions({
  queryKey: ['qr'],
  queryFn: ({ signal }) => readQrs(signal),
});

/** If the payee was never on display, the request waits for a second admin and the code stays hidden. */
export const setQrStatus = (id: string, body: Schemas['QrStatusChange']) =>
  dataOf<QrCode>(api.PATCH('/api/qr/status/{qr_id}', { params: { path: { qr_id: id } }, body }));

export type PastQr = Schemas['QrPast'];

const pageLength = 30;

interface HistoryQuery {
  qr: string | null;
  before?: number | null;
  limit: number;
}

export const readQrHistory = ({ qr, before = null, limit }: HistoryQuery, signal?: AbortSignal) =>
  dataOf<Schemas['QrHistory']>(
    api.GET('/api/qr/history', {
      params: { query: { limit, ...(qr && { qr }), ...(before !== null && { before }) } },
      ...(signal && { signal }),
    }),
  );

/** The key extends the key of the list: invalidating the list invalidates the history too. */
export const qrHistoryOptions = (qr: string | null, before: number | null) =>
  queryOptions({
    queryKey: [...qrQuery.queryKey, 'history', qr, before],
    queryFn: ({ signal }) => readQrHistory({ qr, before, limit: pageLength }, signal),
  });
