import type { QueryClient } from '@tanstack/react-query';
import { sentencesOf } from '../../api/errors';
import { type QrCode, type QrStatus, qrQuery, setQrStatus } from './qrQuery';
import { qrWork } from './qrWork';

export const changeStatus = (client: QueryClient, qr: QrCode, status: QrStatus) =>
  actOn(client, qr, 'Failed to update status', () => setQrStatus(qr._id, status));

/** One request per code at a time; the list is read again after each, whatever came of it. */
export async function actOn(
  client: QueryClient,
  qr: QrCode,
  title: string,
  act: () => Promise<unknown>,
) {
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
