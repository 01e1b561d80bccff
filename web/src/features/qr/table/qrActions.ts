import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import { isOutcomeUnknown, sentencesOf } from '../../../api/errors';
import type { RowTask } from '../../../api/rowTasks';
import { type QrCode, type QrNotice, qrQuery, qrTasks, setQrStatus } from '../../../entities/qr/qr';
import { isOnDisplay, named, sayDisplayed, sayHidden } from './onDisplay';

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

/** The admin decides between codes that they see on display. The server refuses if others are. */
interface Choice {
  seen: readonly QrCode[];
  /** Gets the sentence for the toast: what customers see afterwards. */
  say: (sentence: string) => void;
}

const idsOf = (codes: readonly QrCode[]) => codes.map(({ _id }) => _id);

export const hide = (client: QueryClient, qr: QrCode, { seen, say }: Choice) =>
  runQrTask(client, qr, changeFailure, async () => {
    await setQrStatus(qr._id, { status: 'hide', seen: idsOf(seen) });
    return (shown) => say(shown ? sayHidden(qr, shown) : `Customers no longer see ${named(qr)}.`);
  });

/** A null replaces nothing. A code that waits for a second admin is reported by a notice instead of the toast. */
export const display = (
  client: QueryClient,
  qr: QrCode,
  replaced: QrCode | null,
  { seen, say }: Choice,
) =>
  runQrTask(client, qr, changeFailure, async (task) => {
    const now = await setQrStatus(qr._id, {
      status: 'display',
      seen: idsOf(seen),
      replaces: replaced?._id ?? null,
    });
    if (now.status === 'display')
      return (shown) =>
        say(shown ? sayDisplayed(now, replaced, shown) : `${named(now)} is on display now.`);
    // Before the notice, which ends as soon as the code in the list has no request.
    client.setQueryData(qrQuery.queryKey, (codes) =>
      codes?.map((code) => (code._id === now._id ? now : code)),
    );
    task.notify(waitingFor(now, replaced));
    return undefined;
  });

const waitingFor = (qr: QrCode, replaced: QrCode | null): QrNotice => ({
  tone: 'plain',
  isWaiting: true,
  lines: [
    `${qr.name} is not on display yet.`,
    qr.displayNote,
    ...(replaced ? [`Once approved, it replaces ${named(replaced)}.`] : []),
  ],
});

/** Gets what is on display now, or nothing if that could not be fetched. */
type Afterwards = (shown: readonly QrCode[] | undefined) => void;

/** One request per code at a time. The list is refetched after each, whether or not it succeeded. */
async function runQrTask(
  client: QueryClient,
  qr: QrCode,
  { title, uncertain }: Failure,
  act: (task: RowTask<QrNotice>) => Promise<Afterwards | undefined>,
) {
  const task = qrTasks.begin(qr._id);
  if (!task) return;
  let afterwards: Afterwards | undefined;
  try {
    afterwards = await act(task);
  } catch (error) {
    const sentences = sentencesOf(error).map((sentence) => `${qr.name}: ${sentence}`);
    const doubt = isOutcomeUnknown(error) ? [uncertain] : [];
    task.notify({ tone: 'bad', lines: [title, ...doubt, ...sentences] });
  }
  // The buttons stay disabled until the list is refetched, or they would offer the action that was just done.
  await client.invalidateQueries({ queryKey: qrQuery.queryKey });
  task.end();
  const list = client.getQueryState(qrQuery.queryKey);
  afterwards?.(list?.status === 'success' ? list.data?.filter(isOnDisplay) : undefined);
}

const pathOf = (qr: QrCode) => ({ params: { path: { qr_id: qr._id } } });

export const remove = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, deletionFailure, async () => {
    await dataOf(api.DELETE('/api/qr/{qr_id}', pathOf(qr)));
    return undefined;
  });

/** The admin who made the request withdraws it; any other admin declines it. */
export const endRequest = (client: QueryClient, qr: QrCode) =>
  runQrTask(client, qr, cancelFailure, async () => {
    await dataOf(api.DELETE('/api/qr/{qr_id}/display-request', pathOf(qr)));
    return undefined;
  });

/** The payee is typed again when there is no second admin to check it. */
export const confirmQr = (id: string, body: Schemas['QrConfirmRequest']) =>
  dataOf<QrCode>(api.POST('/api/qr/{qr_id}/confirm', { params: { path: { qr_id: id } }, body }));
