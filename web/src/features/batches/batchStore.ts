import { onSessionChange } from '../../api/session';
import { createStore, useStore } from '../../api/store';
import type { Outcome, Plan, Sheet, Target } from './batchesQuery';

/** A batch that is being prepared: first the reason, if one is needed, then the sheet from the server. */
export interface Draft {
  readonly plan: Plan;
  readonly target: Target;
  readonly onStarted: () => void;
  readonly phase: 'reason' | 'planning' | 'failed' | 'sheet';
  readonly sheet?: Sheet;
  /** Why there is no sheet. */
  readonly trouble?: readonly string[];
  /** False if a retry would get the same answer again. */
  readonly canRetry?: boolean;
}

/** A confirmed batch. `stopped`: no more responses arrived. `refused`: the server refused to continue. */
export interface BatchJob {
  readonly id: string;
  readonly target: Target;
  readonly count: number;
  readonly outcome: Outcome;
  readonly phase: 'running' | 'stopped' | 'refused' | 'ended';
  /** Kept to request a new sheet when the old one has expired. */
  readonly plan?: Plan | undefined;
  readonly trouble?: string | undefined;
  /** The final sheet, if some claims did not move. */
  readonly sheet?: Sheet | undefined;
}

interface State {
  readonly draft: Draft | null;
  readonly jobs: readonly BatchJob[];
  /** The job whose dialog is open. */
  readonly shown: string | null;
  /** The job to leave half done, while the dialog asks. */
  readonly leaving: BatchJob | null;
}

const nothing: State = { draft: null, jobs: [], shown: null, leaving: null };
const store = createStore(nothing);
const change = (part: Partial<State>) => store.set({ ...store.get(), ...part });

// The batches of one admin are not shown to the next, and never continue with the session of the next.
onSessionChange(() => change(nothing));

/**
 * The batches of this browser. Outside the components, because a batch of ten thousand claims outlives many screens.
 */
export const batchStore = {
  now: store.get,
  setDraft: (draft: Draft | null) => change({ draft }),
  find: (id: string) => store.get().jobs.find((job) => job.id === id),
  /** Replaces a batch with the same id. */
  add: (job: BatchJob) =>
    change({ jobs: [...store.get().jobs.filter(({ id }) => id !== job.id), job] }),
  patch: (id: string, changes: Partial<BatchJob>) =>
    change({ jobs: store.get().jobs.map((job) => (job.id === id ? { ...job, ...changes } : job)) }),
  dismiss: (id: string) =>
    change({
      jobs: store.get().jobs.filter((job) => job.id !== id),
      shown: store.get().shown === id ? null : store.get().shown,
    }),
  show: (id: string | null) => change({ shown: id }),
  setLeaving: (leaving: BatchJob | null) => change({ leaving }),
};

export const useBatches = () => useStore(store, (state) => state);
