import { useSyncExternalStore } from 'react';
import { onSessionChange } from '../../api/session';
import type { Outcome, Plan, Sheet, Target } from './batchesQuery';

/** A batch that is being asked for: first why, where a reason is needed, then with the server's sheet. */
export interface Draft {
  readonly plan: Plan;
  readonly target: Target;
  readonly onStarted: () => void;
  readonly phase: 'reason' | 'planning' | 'failed' | 'sheet';
  readonly sheet?: Sheet;
  /** Why there is no sheet. */
  readonly trouble?: readonly string[];
  /** Where it would be answered the same again, there is nothing to retry. */
  readonly canRetry?: boolean;
}

/** A batch that was confirmed. Of one that `stopped` no more answers came; a `refused` one goes no further. */
export interface BatchJob {
  readonly id: string;
  readonly target: Target;
  readonly count: number;
  readonly outcome: Outcome;
  readonly phase: 'running' | 'stopped' | 'refused' | 'ended';
  /** To look at it anew, where the sheet has become too old to be confirmed. */
  readonly plan?: Plan | undefined;
  readonly trouble?: string | undefined;
  /** As it ended, where claims did not move. */
  readonly sheet?: Sheet | undefined;
}

interface State {
  readonly draft: Draft | null;
  readonly jobs: readonly BatchJob[];
  /** The job whose dialog is open. */
  readonly shown: string | null;
  /** The job that may be left half done, while that is asked. */
  readonly leaving: BatchJob | null;
}

const nothing: State = { draft: null, jobs: [], shown: null, leaving: null };
const listeners = new Set<() => void>();
let state = nothing;

function change(part: Partial<State>) {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

// What one admin moves is not shown to the next, and never goes on in their name.
onSessionChange(() => change(nothing));

/** The batches of this browser. Outside the components: ten thousand claims outlive many screens. */
export const batchDesk = {
  now: () => state,
  setDraft: (draft: Draft | null) => change({ draft }),
  find: (id: string) => state.jobs.find((job) => job.id === id),
  /** A batch that is there already begins anew. */
  add: (job: BatchJob) => change({ jobs: [...state.jobs.filter(({ id }) => id !== job.id), job] }),
  patch: (id: string, news: Partial<BatchJob>) =>
    change({ jobs: state.jobs.map((job) => (job.id === id ? { ...job, ...news } : job)) }),
  dismiss: (id: string) =>
    change({
      jobs: state.jobs.filter((job) => job.id !== id),
      shown: state.shown === id ? null : state.shown,
    }),
  show: (id: string | null) => change({ shown: id }),
  setLeaving: (leaving: BatchJob | null) => change({ leaving }),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

export const useBatchDesk = () => useSyncExternalStore(batchDesk.subscribe, batchDesk.now);
