import { NoAnswerError, RefusedError, sentenceOf, sentencesOf } from '../../api/errors';
import { getToken } from '../../api/session';
import { type ExportJob, exportJobs, isAsking, isEnded } from './exportJobs';
import {
  cancelExport,
  type Export,
  type ExportRequest,
  listExports,
  readExport,
  requestExport,
} from './exportsQuery';

const pollMilliseconds = 700;
/** So many questions in a row without an answer, and no more are asked. */
const patience = 12;

/** Asks for the file and hands its address to the browser. Does nothing while another one is being asked for. */
export async function startExport(request: ExportRequest): Promise<void> {
  if (isAsking()) return;
  const key = exportJobs.add(request);
  try {
    const made = await requestExport(request);
    // The session may have changed in the meantime: the file is not for the next admin.
    if (!exportJobs.find(key)) return;
    download(made.url, made.fileName);
    // Found in the list before its own answer was there: one line is enough.
    const twin = exportJobs.findById(made._id);
    if (twin) exportJobs.dismiss(twin.key);
    exportJobs.patch(key, { ...newsOf(made), id: made._id });
    void follow(key, made._id);
  } catch (error) {
    exportJobs.patch(key, { phase: 'refused', trouble: sentencesOf(error).join(' ') });
    // Those in the way may have been asked for in another window, and are to be cancelled here.
    if (error instanceof RefusedError && error.code === 'too_many_exports') void findExports();
  }
}

/** A download outlives its page and may be another window's: its line is put back, to be watched and cancelled. */
export async function findExports(): Promise<void> {
  const token = getToken();
  // Where nothing comes back there is nothing to show; the next one that is refused looks again.
  const found = await listExports().catch(() => []);
  if (getToken() !== token) return;
  for (const { _id: id, list, format, query, ...rest } of found) {
    const known = exportJobs.findById(id);
    if (known && known.phase !== 'lost') continue;
    if (known) exportJobs.dismiss(known.key);
    const key = exportJobs.add({ list, format, query }, { ...newsOf(rest), id, isFound: true });
    void follow(key, id);
  }
}

export async function stopExport({ key, id, isCancelling }: ExportJob): Promise<void> {
  if (!id || isCancelling) return;
  exportJobs.patch(key, { isCancelling: true, trouble: undefined });
  try {
    await cancelExport(id);
    // The next answer says what it came to: the last row may have gone out before the cancellation came in.
  } catch (error) {
    exportJobs.patch(key, { isCancelling: false, trouble: `Not cancelled. ${sentenceOf(error)}` });
  }
}

export function exportAgain({ key, request }: ExportJob): Promise<void> {
  if (isAsking()) return Promise.resolve();
  exportJobs.dismiss(key);
  return startExport(request);
}

/** The browser's own download, so that a million rows go to the disk and not through this page. */
function download(url: string, fileName: string) {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

async function follow(key: number, id: string): Promise<void> {
  let unanswered = 0;
  while (true) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    const job = exportJobs.find(key);
    if (!job || isEnded(job)) return;
    try {
      const read = await readExport(id);
      exportJobs.patch(key, newsOf(read));
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

type News = Pick<Export, 'state' | 'fileName' | 'rowsWritten' | 'rowsTotal'>;

const newsOf = ({ state, fileName, rowsWritten, rowsTotal }: News): Partial<ExportJob> => ({
  phase: state,
  fileName,
  rowsWritten,
  rowsTotal,
});
