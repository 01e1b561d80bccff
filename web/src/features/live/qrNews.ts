import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { Change } from './liveQueries';

type QrCode = Schemas['QrCode'];

const queryKey = ['qr'];

/** Reads the codes anew and returns what another admin did, in a sentence: where money comes in concerns all. */
export async function hearOfQr(client: QueryClient, change: Change): Promise<string> {
  const before = client.getQueryData<QrCode[]>(queryKey) ?? [];
  await client.cancelQueries({ queryKey });
  const now = await client
    .fetchQuery({ queryKey, queryFn: () => dataOf<QrCode[]>(api.GET('/api/qr')) })
    .catch(() => []);
  const code = [...now, ...before].find(({ _id }) => _id === change.subjectId);
  return `${change.by} ${deedOf(change, code?.name ?? 'a QR code')}.`;
}

function deedOf({ verb, status }: Change, name: string): string {
  if (verb === 'qr.uploaded') return `uploaded ${name}`;
  if (verb === 'qr.deleted') return `deleted ${name}`;
  return status === 'display' ? `put ${name} on display` : `took ${name} off display`;
}
