import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { QrCode } from '../../entities/qr/qr';
import { runQrTask } from './qrActions';

const pathOf = (qr: QrCode) => ({ params: { path: { qr_id: qr._id } } });

export const remove = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, 'Failed to delete QR', () =>
    dataOf(api.DELETE('/api/qr/{qr_id}', pathOf(qr))),
  );

/** The admin who made the request withdraws it; any other admin declines it. */
export const endRequest = (qr: QrCode) =>
  dataOf(api.DELETE('/api/qr/{qr_id}/display-request', pathOf(qr)));
