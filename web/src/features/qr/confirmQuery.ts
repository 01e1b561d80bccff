import { api, dataOf, type Schemas } from '../../api/client';
import type { QrCode } from '../../entities/qr/qr';

/** The payee is typed again when there is no second admin to check it. */
export const confirmQr = (id: string, body: Schemas['QrConfirmRequest']) =>
  dataOf<QrCode>(api.POST('/api/qr/{qr_id}/confirm', { params: { path: { qr_id: id } }, body }));
