import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type QrCode = Schemas['QrCode'];
export type QrStatus = QrCode['status'];

export const readQrs = (signal?: AbortSignal) =>
  dataOf<QrCode[]>(api.GET('/api/qr', signal ? { signal } : {}));

export const qrQuery = queryOptions({
  queryKey: ['qr'],
  queryFn: ({ signal }) => readQrs(signal),
});

export interface QrUpload {
  name: string;
  upiId: string;
  qrImage: File;
}

export function uploadQr({ name, upiId, qrImage }: QrUpload): Promise<QrCode> {
  return dataOf<QrCode>(
    api.POST('/api/qr/upload', {
      // OpenAPI describes a file as a string; the serializer below sends the file itself.
      body: { name, upiId, qrImage: '' },
      bodySerializer: () => {
        const form = new FormData();
        form.append('name', name);
        form.append('upiId', upiId);
        form.append('qrImage', qrImage);
        return form;
      },
    }),
  );
}

export function setQrStatus(id: string, status: QrStatus): Promise<QrCode> {
  return dataOf<QrCode>(
    api.PATCH('/api/qr/status/{qr_id}', { params: { path: { qr_id: id } }, body: { status } }),
  );
}

export function deleteQr(id: string) {
  return dataOf(api.DELETE('/api/qr/{qr_id}', { params: { path: { qr_id: id } } }));
}
