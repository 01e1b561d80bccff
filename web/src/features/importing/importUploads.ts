import { isOutcomeUnknown, sentencesOf } from '../../api/errors';
import { createJobs } from '../../api/jobs';
import { announceImport, planImport, sendPart } from './imports';

/** The files that this page is sending. Outside the components, because an upload goes on on other screens. */
export interface Upload {
  /** That of the import. */
  readonly id: string;
  readonly files: readonly File[];
  readonly sent: number;
  readonly inAll: number;
  /** Why it has stopped; it can go on. */
  readonly trouble?: string | undefined;
}

export const uploads = createJobs<Upload>();

/** As the server expects them. */
const partBytes = 1024 * 1024;
const largestUpload = 64 * partBytes;
const mostFiles = 50;
/** Of one part. */
const tries = 4;
const pauseMilliseconds = 1_000;

/** What the server would refuse, said before anything is sent; empty if nothing is wrong. */
export function refusalOf(files: readonly File[]): string {
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${empty.name} is empty.`;
  if (files.length > mostFiles) return `Choose at most ${mostFiles} files.`;
  if (new Set(files.map(({ name }) => name.toLowerCase())).size < files.length) {
    return 'Two of these files have the same name. Rename one of them.';
  }
  return files.reduce((sum, { size }) => sum + size, 0) > largestUpload
    ? 'Together these files exceed 64 MB. Import them with the command “countinghouse import”, which has no limit.'
    : '';
}

/**
 * Announces the files and starts to send them. Returns the id of the import; throws if it is refused.
 */
export async function startUpload(files: readonly File[]): Promise<string> {
  const { _id: id, partsInAll: inAll } = await announceImport(files);
  uploads.add({ id, files, sent: 0, inAll });
  void send(id);
  return id;
}

export function resumeUpload(id: string) {
  if (!uploads.find(id)?.trouble) return;
  uploads.patch(id, { trouble: undefined });
  void send(id);
}

async function send(id: string): Promise<void> {
  try {
    while (true) {
      const upload = uploads.find(id);
      // The session has ended, and with it the upload.
      if (!upload) return;
      const part = partsOf(upload.files)[upload.sent];
      if (!part) break;
      await sendPatiently(id, upload.sent, part());
      uploads.patch(id, { sent: upload.sent + 1 });
    }
    await planImport(id, {});
    uploads.dismiss(id);
  } catch (error) {
    uploads.patch(id, { trouble: sentencesOf(error).join(' ') });
  }
}

async function sendPatiently(id: string, number: number, part: Blob): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return void (await sendPart(id, number, part));
    } catch (error) {
      if (left === 0 || !isOutcomeUnknown(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      if (!uploads.find(id)) return;
    }
  }
}

/** Each file has parts of its own; they are numbered through all files. */
const partsOf = (files: readonly File[]): (() => Blob)[] =>
  files.flatMap((file) =>
    Array.from({ length: Math.ceil(file.size / partBytes) }, (_, place) => () => {
      const start = place * partBytes;
      return file.slice(start, start + partBytes, 'application/octet-stream');
    }),
  );
