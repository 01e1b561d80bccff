import type { Schemas } from '../../api/client';
import { createJobs } from '../../api/jobs';
import { onSessionChange } from '../../api/session';
import { createStore, useStore } from '../../api/store';

/** What a batch would do, and later what it did. */
export type Sheet = Schemas['Sheet'];
export type UnfinishedBatch = Schemas['UnfinishedBatch'];
/** Which claims, the target status and the reason. */
export type Plan = Partial<Schemas['BatchRequest']>;
/** The moves that an admin can choose for many claims. */
export type Choice = NonNullable<Plan['status']>;
/** Pending is the target of an undo. */
export type Target = Choice | 'Pending';

/** The references and removed claims that are sent with the confirmation. */
export type Confirmation = Required<Omit<Schemas['Confirmation'], 'batch'>>;

/** A batch that is being prepared: first the reason, if one is needed, then the sheet from the server. */
export interface Draft {
  readonly plan: Plan;
  readonly target: Target;
  /** The order of the list that the claims were chosen in; undefined for the usual one. The sheet keeps it. */
  readonly sort?: string | undefined;
  readonly onStarted: () => void;
  readonly phase: 'reason' | 'planning' | 'failed' | 'sheet';
  readonly sheet?: Sheet;
  /** The claims that will move. */
  readonly claims?: readonly Schemas['BatchClaim'][];
  /** References that were entered for an earlier sheet of these claims. */
  readonly entered?: Confirmation['references'] | undefined;
  readonly trouble?: readonly string[];
  /** False if a retry would get the same answer again. */
  readonly canRetry?: boolean;
}

/** A confirmed batch. `stopped`: no more responses arrived. `refused`: the server refused to continue. */
export interface BatchJob {
  readonly id: string;
  readonly target: Target;
  readonly count: number;
  readonly outcome: Schemas['BatchOutcome'];
  readonly phase: 'running' | 'stopped' | 'refused' | 'ended';
  readonly canUndo?: boolean;
  /** Kept to request a new sheet when the old one has expired. */
  readonly plan?: Plan | undefined;
  readonly sort?: string | undefined;
  readonly confirmation?: Confirmation | undefined;
  /** Whether the server has the confirmation. */
  readonly isConfirmed?: boolean;
  readonly trouble?: string | undefined;
  /** Why the last attempt to undo it failed. */
  readonly undoTrouble?: string | undefined;
  /** The final sheet, if some claims did not move. */
  readonly sheet?: Sheet | undefined;
}

interface Dialogs {
  readonly draft: Draft | null;
  readonly shown: string | null;
  /** The job to leave half done, while the dialog asks. */
  readonly leaving: BatchJob | null;
}

const closed: Dialogs = { draft: null, shown: null, leaving: null };
const dialogs = createStore(closed);
const change = (part: Partial<Dialogs>) => dialogs.set({ ...dialogs.get(), ...part });
onSessionChange(() => change(closed));
const jobs = createJobs<BatchJob>();

/** The batches of this browser. */
export const batchStore = {
  ...jobs,
  now: dialogs.get,
  setDraft: (draft: Draft | null) => change({ draft }),
  show: (shown: string | null) => change({ shown }),
  setLeaving: (leaving: BatchJob | null) => change({ leaving }),
  closeDialogs: () => change(closed),
  dismiss: (id: string) => {
    jobs.dismiss(id);
    if (dialogs.get().shown === id) change({ shown: null });
  },
};

export const useBatches = () => ({ jobs: useStore(jobs), ...useStore(dialogs) });
