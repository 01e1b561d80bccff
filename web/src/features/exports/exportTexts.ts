import { countOf, formatCount } from '../../ui/text/rupees';
import { type ExportJob, isEnded } from './exportJobs';
import { nounOf } from './exportLists';

/** The headline of a job, which is also announced. It changes with the state, not with each row. */
export function headlineOf(job: ExportJob): string {
  const name = job.fileName ?? `the ${job.request.list}`;
  if (!isEnded(job)) return job.isCancelling ? `Cancelling ${name}` : `Exporting ${name}`;
  switch (job.phase) {
    case 'done':
      return `Exported ${name}`;
    case 'cancelled':
      return `Cancelled ${name}`;
    case 'expired':
      return `The download of ${name} did not start`;
    case 'lost':
      return `Lost contact with ${name}`;
    default:
      return `Failed to export ${name}`;
  }
}

/** The second line: the progress, or what to do next. */
export function detailOf(job: ExportJob): string {
  switch (job.phase) {
    case 'asking':
      return 'Starting…';
    case 'waiting':
    case 'running':
      return job.trouble ?? rowsOf(job);
    case 'done':
      return `${countOf(job.rowsWritten, nounOf[job.request.list])}, in ${
        job.isFound ? 'the downloads of the browser that started it' : 'your downloads'
      }.`;
    case 'cancelled':
      return 'Stopped before the end. The browser lists the download as failed.';
    case 'expired':
      return 'If the browser asks whether to allow the download, allow it, and export again.';
    case 'failed':
      return 'The file is not complete. Do not use it; export again.';
    case 'lost':
      return `${job.trouble ?? ''} Check in the browser’s downloads whether the file is complete.`.trim();
    case 'refused':
      return job.trouble ?? '';
  }
}

function rowsOf({ phase, rowsWritten, rowsTotal }: ExportJob): string {
  if (phase === 'waiting') return 'Waiting for the download to start…';
  if (rowsTotal === null) return `${countOf(rowsWritten, 'row')} so far`;
  // At most 100, because rows may be added while the file is written.
  const percent =
    rowsTotal === 0 ? 100 : Math.min(100, Math.floor((rowsWritten / rowsTotal) * 100));
  return `${formatCount(rowsWritten)} of ${countOf(rowsTotal, 'row')} · ${percent}%`;
}
