import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { actOn } from './qrActions';
import type { QrCode } from './qrQuery';

export const remove = (client: QueryClient, qr: QrCode) =>
  actOn(client, qr, 'Failed to delete QR', async () => {
    await dataOf(api.DELETE('/api/qr/{qr_id}', { params: { path: { qr_id: qr._id } } }));
    return undefined;
  });
