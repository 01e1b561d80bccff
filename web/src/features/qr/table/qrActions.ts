import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import { sentencesOf } from '../../../api/errors';
import type { RowTask } from '../../../api/rowTasks';
import {
  type QrCode,
  type QrNotice,
  type QrStatus,
  qrQuery,
  qrTasks,
  setQrStatus,
} from '../../../entities/qr/qr';

export const changeStatus = (client: QueryClient, qr: QrCode, status: QrStatus) =>
  runQrTask(client, qr, 'Failed to update status', async (task) => {
    const now = await setQrStatus(qr._id, status);
    if (status === 'hide' || now.status === 'display') return;
    // Before the notice, which ends as soon as the code in the list has no request.
    client.setQueryData(qrQuery.queryKey, (codes) =>
      codes?.map((code) => (code._id === now._id ? now : code)),
    );
    task.notify(waitingFor(now));
  });

const waitingFor = ({ name, displayNote }: QrCode): QrNotice => ({
  tone: 'plain',
  isWaiting: true,
  lines: [`${name} is not on display yet.`, displayNote],
});

/** One request per code at a time. The list is refetched after each, whether or not it succeeded. */
export async function runQrTask(
  client: QueryClient,
  qr: QrCode,
  title: string,
  act: (task: RowTask<QrNotice>) => Promise<unknown>,
) {
  const task = qrTasks.begin(qr._id);
  if (!task) return;
  try {
    await act(task);
  } catch (error) {
    const sentences = sentencesOf(error).map((sentence) => `${qr.name}: ${sentence}`);
    task.notify({ tone: 'bad', lines: [title, ...sentences] });
  }
  // The buttons stay disabled until the list is refetched, or they would offer the action that was just done.
  await client.invalidateQueries({ queryKey: qrQuery.queryKey });
  task.end();
}

const pathOf = (qr: QrCode) => ({ params: { path: { qr_id: qr._id } } });

export const remove = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, 'Failed to delete QR', () =>
    dataOf(api.DELETE('/api/qr/{qr_id}', pathOf(qr))),
  );

/** The admin who made the request withdraws it; any other admin declines it. */
export const endRequest = (qr: QrCode) =>
  dataOf(api.DELETE('/api/qr/{qr_id}/display-request', pathOf(qr)));

/** The payee is typed again when there is no second admin to check it. */
export const confirmQr = (id: string, body: Schemas['QrConfirmRequest']) =>
  dataOf<QrCode>(api.POST('/api/qr/{qr_id}/confirm', { params: { path: { qr_id: id } }, body }));
