import { getUsername, onSessionChange } from '../../api/session';
import { createStore, useStore } from '../../api/store';
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

const store = createStore<readonly ExportJob[]>([]);
let lastKey = 0;

// The exports of one admin are not shown to the next.
onSessionChange(() => store.set([]));

/**
 * The running and the recently finished exports. Outside the components, because an export of a million rows outlives
 * many screens.
 */
export const exportJobs = {
  /** Undefined after the job was dismissed or the session changed. */
  find: (key: number) => store.get().find((job) => job.key === key),
  findById: (id: string) => store.get().find((job) => job.id === id),
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
    store.set([...store.get(), begun]);
    return lastKey;
  },
  patch: (key: number, changes: Partial<ExportJob>) =>
    store.set(store.get().map((job) => (job.key === key ? { ...job, ...changes } : job))),
  dismiss: (key: number) => store.set(store.get().filter((job) => job.key !== key)),
};

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

export const isEnded = ({ phase }: ExportJob) =>
  phase !== 'asking' && phase !== 'waiting' && phase !== 'running';

export const useExportJobs = () => useStore(store, (jobs) => jobs);

const hasAsking = (jobs: readonly ExportJob[]) => jobs.some(({ phase }) => phase === 'asking');

export const isAsking = () => hasAsking(store.get());

export const useIsAsking = () => useStore(store, hasAsking);
