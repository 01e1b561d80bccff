import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { Change } from './liveQueries';

type QrCode = Schemas['QrCode'];
type Named = Pick<QrCode, 'name' | 'upiId'> & Partial<Pick<QrCode, 'reading'>>;

/** The one piece of news that asks for something. */
export const displayRequested = 'qr.display_requested';

const queryKey = ['qr'];

/**
 * Reads the codes anew and returns what another admin did, in a sentence: where money comes in concerns all. Empty
 * for what concerns nobody.
 */
export async function hearOfQr(client: QueryClient, change: Change): Promise<string> {
  const before = client.getQueryData<QrCode[]>(queryKey) ?? [];
  void client.invalidateQueries({ queryKey });
  // Not through the shared query: the next news would cancel it.
  const now = await dataOf<QrCode[]>(api.GET('/api/qr')).catch(() => []);
  const known = [...now, ...before].find(({ _id }) => _id === change.subjectId);
  const code = known ?? (await readPast(change.subjectId));
  const deed = deedOf(change, code);
  return deed && `${change.by} ${deed}`;
}

/** A deleted code is in no list any more, but its history still has its name. */
const readPast = (qr: string): Promise<Named | undefined> =>
  dataOf<Schemas['QrHistory']>(
    api.GET('/api/qr/history', { params: { query: { qr, limit: 1 } } }),
  ).then(
    ({ codes: [past] }) => past,
    () => undefined,
  );

function deedOf({ verb, status }: Change, code: Named | undefined): string {
  const name = code?.name ?? 'a QR code';
  const named = code ? `${name} (${code.upiId})` : name;
  switch (verb) {
    case 'qr.uploaded':
      return `uploaded ${named}.`;
    case 'qr.confirmed':
      return `confirmed ${named}.${warningOf(code)}`;
    case displayRequested:
      return `asked to display ${named}. Another admin has to approve it.${warningOf(code)}`;
    case 'qr.display_withdrawn':
      return `cancelled the request to display ${named}.`;
    case 'qr.deleted':
      return `deleted ${name}.`;
    case 'qr.status_changed':
      return status === 'display'
        ? `put ${named} on display.${warningOf(code)}`
        : `took ${name} off display.`;
    default:
      return '';
  }
}

/** The address in the name is what was typed; a code that pays another one must not pass for it. */
const warningOf = (code: Named | undefined) =>
  code?.reading?.findings.length ? ` ${code.reading.sentence}` : '';
