import type { QueryClient } from '@tanstack/react-query';
import { sentencesOf } from '../../api/errors';
import { deleteQr, type QrCode, type QrStatus, qrQuery, setQrStatus } from './qrQuery';
import { qrWork } from './qrWork';

export const changeStatus = (client: QueryClient, qr: QrCode, status: QrStatus) =>
  run(client, qr, 'Failed to update status', () => setQrStatus(qr._id, status));

export const remove = (client: QueryClient, qr: QrCode) =>
  run(client, qr, 'Failed to delete QR', () => deleteQr(qr._id));

/** One request per code at a time; the list is read again after each, whatever came of it. */
async function run(client: QueryClient, qr: QrCode, title: string, act: () => Promise<unknown>) {
  const task = qrWork.begin(qr._id);
  if (!task) return;
  try {
    await act();
  } catch (error) {
    const sentences = sentencesOf(error).map((sentence) => `${qr.name}: ${sentence}`);
    task.tell({ tone: 'bad', lines: [title, ...sentences] });
  }
  // The buttons wait for the list, or they would offer what was just done.
  await client.invalidateQueries({ queryKey: qrQuery.queryKey });
  task.end();
}
