import { NoAnswerError, RefusedError, sentenceOf, sentencesOf } from '../../api/errors';
import { getToken } from '../../api/session';
import { type ExportJob, exportJobs, isAsking, isEnded, rememberedExports } from './exportJobs';
import {
  cancelExport,
  type Export,
  type ExportRequest,
  listExports,
  readExport,
  requestExport,
} from './exportsQuery';

const pollMilliseconds = 700;
/** Polling stops after this many requests in a row without a response. */
const patience = 12;

/** Requests the file and passes its URL to the browser. Does nothing while another request is in progress. */
export async function startExport(request: ExportRequest): Promise<void> {
  if (isAsking()) return;
  const key = exportJobs.add(request);
  try {
    const made = await requestExport(request);
    // The session may have changed meanwhile: the next admin must not get the file.
    if (!exportJobs.find(key)) return;
    download(made.url, made.fileName);
    // `findExports` may have listed it before this response arrived: one line is enough.
    const twin = exportJobs.findById(made._id);
    if (twin) exportJobs.dismiss(twin.key);
    exportJobs.patch(key, { ...progressOf(made), id: made._id });
    void follow(key, made._id);
  } catch (error) {
    exportJobs.patch(key, { phase: 'refused', trouble: sentencesOf(error).join(' ') });
    // The exports that use up the limit may have been started in another window. List them, so that they can be
    // cancelled here.
    if (error instanceof RefusedError && error.code === 'too_many_exports') void findExports();
  }
}

/**
 * A download outlives its page and may belong to another window. Adds its line again, so that it can be watched and
 * cancelled.
 */
export async function findExports(): Promise<void> {
  const token = getToken();
  // If the request fails there is nothing to show; the next page or the next refused export tries again.
  const found = await listExports().catch(() => undefined);
  if (getToken() !== token || !found) return;
  for (const id of rememberedExports.ids()) {
    if (!found.some(({ _id }) => _id === id)) rememberedExports.remove(id);
  }
  for (const { _id: id, list, format, query, ...rest } of found) {
    const known = exportJobs.findById(id);
    if (known && known.phase !== 'lost') continue;
    if (known) exportJobs.dismiss(known.key);
    const key = exportJobs.add({ list, format, query }, { ...progressOf(rest), id, isFound: true });
    void follow(key, id);
  }
}

export async function stopExport({ key, id, isCancelling }: ExportJob): Promise<void> {
  if (!id || isCancelling) return;
  exportJobs.patch(key, { isCancelling: true, trouble: undefined });
  try {
    await cancelExport(id);
    // The next poll reports the result: the last row may have been sent before the cancellation arrived.
  } catch (error) {
    exportJobs.patch(key, { isCancelling: false, trouble: `Not cancelled. ${sentenceOf(error)}` });
  }
}

export function exportAgain({ key, request }: ExportJob): Promise<void> {
  if (isAsking()) return Promise.resolve();
  exportJobs.dismiss(key);
  return startExport(request);
}

/** A download by the browser itself, so that a million rows go to the disk and not through this page. */
function download(url: string, fileName: string) {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

async function follow(key: number, id: string): Promise<void> {
  let unanswered = 0;
  rememberedExports.add(id);
  while (true) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    const job = exportJobs.find(key);
    if (!job || isEnded(job)) return;
    try {
      const read = await readExport(id);
      // The session may have changed meanwhile.
      if (!exportJobs.find(key)) return;
      exportJobs.patch(key, progressOf(read));
      if (read.state !== 'waiting' && read.state !== 'running') rememberedExports.remove(id);
      unanswered = 0;
    } catch (error) {
      unanswered += 1;
      if (!isPassing(error) || unanswered >= patience) {
        exportJobs.patch(key, { phase: 'lost', trouble: sentenceOf(error) });
      }
    }
  }
}

const isPassing = (error: unknown) =>
  error instanceof NoAnswerError || (error instanceof RefusedError && error.status >= 500);

type Progress = Pick<Export, 'state' | 'fileName' | 'rowsWritten' | 'rowsTotal'>;

const progressOf = ({ state, fileName, rowsWritten, rowsTotal }: Progress): Partial<ExportJob> => ({
  phase: state,
  fileName,
  rowsWritten,
  rowsTotal,
});
