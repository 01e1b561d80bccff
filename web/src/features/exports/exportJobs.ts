import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf, sentencesOf } from '../../api/errors';
import { createJobs } from '../../api/jobs';
import { randomHex } from '../../api/randomHex';
import { getUsername } from '../../api/session';

type Export = Schemas['Export'];
type ExportRequest = Omit<Schemas['ExportRequest'], 'query'> & {
  /** The filters and the sort order, as in the URL of the list. */
  query: Readonly<Record<string, string>>;
};
export type ExportList = ExportRequest['list'];
export type ExportFormat = ExportRequest['format'];

export interface ExportJob {
  readonly id: string;
  readonly request: ExportRequest;
  /** `refused`: the export never started. `lost`: the server no longer reports its progress. */
  readonly phase: 'asking' | Export['state'] | 'refused' | 'lost';
  /** The id that the server has given it. */
  readonly exportId?: string;
  readonly fileName?: string;
  readonly rowsWritten: number;
  readonly rowsTotal: number | null;
  readonly isCancelling?: boolean;
  /** Started before this page was loaded, or elsewhere: the file may not be in the downloads of this browser. */
  readonly isFound?: boolean;
  readonly trouble?: string | undefined;
}

/** The running and the recently finished exports. */
export const exportJobs = createJobs<ExportJob>();

export const isEnded = ({ phase }: ExportJob) =>
  phase !== 'asking' && phase !== 'waiting' && phase !== 'running';

export const hasAsking = (jobs: readonly ExportJob[]) =>
  jobs.some(({ phase }) => phase === 'asking');

const findByExport = (id: string) => exportJobs.get().find((job) => job.exportId === id);

function addJob(request: ExportRequest, known: Partial<ExportJob> = {}): string {
  const id = randomHex();
  exportJobs.add({ id, request, phase: 'asking', rowsWritten: 0, rowsTotal: null, ...known });
  return id;
}

/** Requests the file and passes its URL to the browser. Does nothing while another request is in progress. */
export async function startExport(request: ExportRequest): Promise<void> {
  if (hasAsking(exportJobs.get())) return;
  const id = addJob(request);
  try {
    // Its `url` works once, within a minute, and without the token.
    const made = await dataOf<Schemas['NewExport']>(api.POST('/api/exports', { body: request }));
    download(made.url, made.fileName);
    // `findExports` may have listed it before this response arrived: one line is enough.
    const twin = findByExport(made._id);
    if (twin) exportJobs.dismiss(twin.id);
    exportJobs.patch(id, { ...progressOf(made), exportId: made._id });
    void follow(id, made._id);
  } catch (error) {
    exportJobs.patch(id, { phase: 'refused', trouble: sentencesOf(error).join(' ') });
    // The exports that use up the limit may have been started in another window. List them, so that they can be
    // cancelled here.
    if (error instanceof RefusedError && error.code === 'too_many_exports') void findExports();
  }
}

/** A download outlives its page and may be another window's. Adds its line again, to watch and to cancel it. */
export async function findExports(): Promise<void> {
  // If the request fails there is nothing to show; the next page or the next refused export tries again.
  const found = await dataOf<Export[]>(api.GET('/api/exports')).catch(() => undefined);
  if (!found) return;
  for (const id of rememberedExports.ids()) {
    if (!found.some(({ _id }) => _id === id)) rememberedExports.remove(id);
  }
  for (const { _id: exportId, list, format, query, ...rest } of found) {
    const known = findByExport(exportId);
    if (known && known.phase !== 'lost') continue;
    if (known) exportJobs.dismiss(known.id);
    const progress = { ...progressOf(rest), exportId, isFound: true };
    void follow(addJob({ list, format, query }, progress), exportId);
  }
}

export async function stopExport({ id, exportId, isCancelling }: ExportJob): Promise<void> {
  if (!exportId || isCancelling) return;
  exportJobs.patch(id, { isCancelling: true, trouble: undefined });
  try {
    await dataOf(api.DELETE('/api/exports/{export_id}', at(exportId)));
    // The next poll reports the result: the last row may have been sent before the cancellation arrived.
  } catch (error) {
    exportJobs.patch(id, { isCancelling: false, trouble: `Not cancelled. ${sentenceOf(error)}` });
  }
}

export function exportAgain({ id, request }: ExportJob) {
  if (hasAsking(exportJobs.get())) return;
  exportJobs.dismiss(id);
  void startExport(request);
}

/** A download by the browser itself, so that a million rows go to the disk and not through this page. */
function download(url: string, fileName: string) {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

const pollMilliseconds = 700;
/** Polling stops after this many requests in a row without a response. */
const patience = 12;

async function follow(id: string, exportId: string): Promise<void> {
  let unanswered = 0;
  rememberedExports.add(exportId);
  while (true) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    const job = exportJobs.find(id);
    if (!job || isEnded(job)) return;
    try {
      const read = await dataOf<Export>(api.GET('/api/exports/{export_id}', at(exportId)));
      // The session may have changed meanwhile.
      if (!exportJobs.find(id)) return;
      exportJobs.patch(id, progressOf(read));
      if (read.state !== 'waiting' && read.state !== 'running') rememberedExports.remove(exportId);
      unanswered = 0;
    } catch (error) {
      unanswered += 1;
      if (!isOutcomeUnknown(error) || unanswered >= patience) {
        exportJobs.patch(id, { phase: 'lost', trouble: sentenceOf(error) });
      }
    }
  }
}

const at = (id: string) => ({ params: { path: { export_id: id } } });

type Progress = Pick<Export, 'state' | 'fileName' | 'rowsWritten' | 'rowsTotal'>;

const progressOf = ({ state: phase, fileName, rowsWritten, rowsTotal }: Progress) => ({
  phase,
  fileName,
  rowsWritten,
  rowsTotal,
});

/** Longer than any export runs. */
const rememberedMilliseconds = 3_600_000;
const rememberedName = () => `export-running ${getUsername() ?? ''} `;

/** The exports that this admin has seen running in this browser, and not ended: a page loaded later asks for them. */
export const rememberedExports = {
  add: (id: string) => localStorage.setItem(rememberedName() + id, String(Date.now())),
  remove: (id: string) => localStorage.removeItem(rememberedName() + id),
  ids: (): string[] => {
    const name = rememberedName();
    const isRecent = (key: string) =>
      Date.now() - Number(localStorage.getItem(key)) < rememberedMilliseconds;
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(name));
    for (const key of keys) if (!isRecent(key)) localStorage.removeItem(key);
    return keys.filter(isRecent).map((key) => key.slice(name.length));
  },
};
