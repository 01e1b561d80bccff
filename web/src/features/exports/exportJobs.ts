import { useSyncExternalStore } from 'react';
import { onSessionChange } from '../../api/session';
import type { Export, ExportRequest } from './exportsQuery';

/** `refused`: the export never started. `lost`: the server no longer reports its progress. */
type Phase = 'asking' | Export['state'] | 'refused' | 'lost';

export interface ExportJob {
  readonly key: number;
  readonly request: ExportRequest;
  readonly phase: Phase;
  readonly id?: string;
  readonly fileName?: string;
  readonly rowsWritten: number;
  readonly rowsTotal: number | null;
  readonly isCancelling?: boolean;
  /** Started before this page was loaded, or elsewhere: the file may not be in the downloads of this browser. */
  readonly isFound?: boolean;
  /** A sentence that says what went wrong. */
  readonly trouble?: string | undefined;
}

const listeners = new Set<() => void>();
let jobs: readonly ExportJob[] = [];
let lastKey = 0;

function change(next: readonly ExportJob[]) {
  jobs = next;
  for (const listener of listeners) listener();
}

// The exports of one admin are not shown to the next.
onSessionChange(() => change([]));

/**
 * The running and the recently finished exports. Outside the components, because an export of a million rows outlives
 * many screens.
 */
export const exportJobs = {
  all: () => jobs,
  /** Undefined after the job was dismissed or the session changed. */
  find: (key: number) => jobs.find((job) => job.key === key),
  findById: (id: string) => jobs.find((job) => job.id === id),
  add: (request: ExportRequest, known: Partial<ExportJob> = {}): number => {
    lastKey += 1;
    const begun: ExportJob = {
      key: lastKey,
      request,
      phase: 'asking',
      rowsWritten: 0,
      rowsTotal: null,
      ...known,
    };
    change([...jobs, begun]);
    return lastKey;
  },
  patch: (key: number, changes: Partial<ExportJob>) =>
    change(jobs.map((job) => (job.key === key ? { ...job, ...changes } : job))),
  dismiss: (key: number) => change(jobs.filter((job) => job.key !== key)),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export const isEnded = ({ phase }: ExportJob) =>
  phase !== 'asking' && phase !== 'waiting' && phase !== 'running';

export const useExportJobs = () => useSyncExternalStore(exportJobs.subscribe, exportJobs.all);

export const isAsking = () => jobs.some(({ phase }) => phase === 'asking');

export const useIsAsking = () => useSyncExternalStore(exportJobs.subscribe, isAsking);
