import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import { isOutcomeUnknown, sentencesOf } from '../../../api/errors';
import type { RowTask } from '../../../api/rowTasks';
import { type QrCode, type QrNotice, qrQuery, qrTasks, setQrStatus } from '../../../entities/qr/qr';

interface Failure {
  title: string;
  /** Added when no answer says what the server did. */
  uncertain: string;
}

const changeFailure: Failure = {
  title: 'Failed to update status',
  uncertain: 'It is not certain whether the status was updated.',
};
const deletionFailure: Failure = {
  title: 'Failed to delete QR',
  uncertain: 'It is not certain whether the QR was deleted.',
};
const cancelFailure: Failure = {
  title: 'Failed to cancel the request to display',
  uncertain: 'It is not certain whether the request was cancelled.',
};

export const hide = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, changeFailure, () => setQrStatus(qr._id, { status: 'hide' }));

/** `say` gets the sentence for the toast, unless the code waits for a second admin. */
export const display = (
  client: QueryClient,
  qr: QrCode,
  replaced: QrCode | null,
  say: (sentence: string) => void,
) =>
  runQrTask(client, qr, changeFailure, async (task) => {
    const now = await setQrStatus(qr._id, {
      status: 'display',
      replaces: replaced?._id ?? null,
    });
    if (now.status === 'display') {
      say(sayDisplayed(now, replaced));
      return;
    }
    // Before the notice, which ends as soon as the code in the list has no request.
    client.setQueryData(qrQuery.queryKey, (codes) =>
      codes?.map((code) => (code._id === now._id ? now : code)),
    );
    task.notify(waitingFor(now, replaced));
  });

/** The address that a scan pays. */
export const payeeOf = ({ reading, upiId }: QrCode) => reading.payee ?? upiId;

const named = (qr: QrCode) => `${qr.name} (${payeeOf(qr)})`;

const sayDisplayed = (qr: QrCode, replaced: QrCode | null) =>
  replaced
    ? `Customers now pay ${named(qr)} instead of ${named(replaced)}.`
    : `Customers now see ${named(qr)}.`;

const waitingFor = (qr: QrCode, replaced: QrCode | null): QrNotice => ({
  tone: 'plain',
  isWaiting: true,
  lines: [
    `${qr.name} is not on display yet.`,
    qr.displayNote,
    ...(replaced ? [`Once approved, it replaces ${named(replaced)}.`] : []),
  ],
});

/** One request per code at a time. The list is refetched after each, whether or not it succeeded. */
async function runQrTask(
  client: QueryClient,
  qr: QrCode,
  { title, uncertain }: Failure,
  act: (task: RowTask<QrNotice>) => Promise<unknown>,
) {
  const task = qrTasks.begin(qr._id);
  if (!task) return;
  try {
    await act(task);
  } catch (error) {
    const sentences = sentencesOf(error).map((sentence) => `${qr.name}: ${sentence}`);
    const doubt = isOutcomeUnknown(error) ? [uncertain] : [];
    task.notify({ tone: 'bad', lines: [title, ...doubt, ...sentences] });
  }
  // The buttons stay disabled until the list is refetched, or they would offer the action that was just done.
  await client.invalidateQueries({ queryKey: qrQuery.queryKey });
  task.end();
}

const pathOf = (qr: QrCode) => ({ params: { path: { qr_id: qr._id } } });

export const remove = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, deletionFailure, () => dataOf(api.DELETE('/api/qr/{qr_id}', pathOf(qr))));

/** The admin who made the request withdraws it; any other admin declines it. */
export const endRequest = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, cancelFailure, () =>
    dataOf(api.DELETE('/api/qr/{qr_id}/display-request', pathOf(qr))),
  );

/** The payee is typed again when there is no second admin to check it. */
export const confirmQr = (id: string, body: Schemas['QrConfirmRequest']) =>
  dataOf<QrCode>(api.POST('/api/qr/{qr_id}/confirm', { params: { path: { qr_id: id } }, body }));
