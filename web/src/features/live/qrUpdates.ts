import type { QueryClient } from '@tanstack/react-query';
import type { Change } from '../../entities/claim/liveChanges';
import { type QrCode, qrQuery, readQrHistory, readQrs } from '../../entities/qr/qr';

type Named = Pick<QrCode, 'name' | 'upiId'> & Partial<Pick<QrCode, 'reading'>>;

/** The only event that asks the other admins to act. */
export const displayRequested = 'qr.display_requested';

/**
 * Refetches the codes and returns a sentence about what another admin did, because every admin must know where money
 * comes in. Empty for an event that concerns nobody.
 */
export async function describeQrChange(client: QueryClient, change: Change): Promise<string> {
  const before = client.getQueryData(qrQuery.queryKey) ?? [];
  void client.invalidateQueries({ queryKey: qrQuery.queryKey });
  // Not through the shared query, which the next event would cancel.
  const now = await readQrs().catch(() => []);
  const known = [...now, ...before].find(({ _id }) => _id === change.subjectId);
  const code = known ?? (await readPast(change.subjectId));
  const action = actionText(change, code);
  return action && `${change.by} ${action}`;
}

/** A deleted code is in no list, but its history still has its name. */
const readPast = (qr: string): Promise<Named | undefined> =>
  readQrHistory({ qr, limit: 1 }).then(
    ({ codes: [past] }) => past,
    () => undefined,
  );

function actionText({ verb, status }: Change, code: Named | undefined): string {
  const name = code?.name ?? 'a QR code';
  const named = code ? `${name} (${code.upiId})` : name;
  switch (verb) {
    case 'qr.uploaded':
      return `uploaded ${named}.`;
    case 'qr.confirmed':
      return `confirmed ${named}.${warningOf(code)}`;
    case displayRequested:
      return `asked to display ${named}. You can approve it.${warningOf(code)}`;
    case 'qr.display_withdrawn':
      return `cancelled the request to display ${named}.`;
    case 'qr.deleted':
      return `deleted ${name}.`;
    case 'qr.status_changed':
      return status === 'display'
        ? `put ${named} on display.${warningOf(code)}`
        : `took ${named} off display.`;
    default:
      return '';
  }
}

/** The sentence names the typed address; a code that pays another address must not be mistaken for it. */
const warningOf = (code: Named | undefined) =>
  code?.reading?.findings.length ? ` ${code.reading.sentence}` : '';
