import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type QrCode = Schemas['QrCode'];
export type QrStatus = QrCode['status'];
export type QrReading = QrCode['reading'];

export const readQrs = (signal?: AbortSignal) =>
  dataOf<QrCode[]>(api.GET('/api/qr', signal ? { signal } : {}));

export const qrQuery = queryOptions({
  queryKey: ['qr'],
  queryFn: ({ signal }) => readQrs(signal),
});

/** If the payee was never on display, the request waits for a second admin and the code stays hidden. */
export function setQrStatus(id: string, status: QrStatus): Promise<QrCode> {
  return dataOf<QrCode>(
    api.PATCH('/api/qr/status/{qr_id}', { params: { path: { qr_id: id } }, body: { status } }),
  );
}
