import { onSessionChange } from '../../api/session';
import { shownWithActionMilliseconds } from '../../ui/notices/Toast';
import type { Claim } from './claim';

/** A move of one claim, or of a batch, which knows itself how to undo it. */
export interface Undoable {
  id: string;
  claim?: Claim;
  undo?: () => void;
}

/**
 * What this admin did in this tab and may undo, newest last, as long as a toast offers it: later, a key would change a
 * claim that nobody is looking at. The server decides whether it still can be undone.
 */
let all: readonly (Undoable & { until: number })[] = [];
onSessionChange(() => {
  all = [];
});

export const undoables = {
  last: (): Undoable | undefined => all.filter(({ until }) => until > Date.now()).at(-1),
  add: (one: Undoable) => {
    all = [
      ...all.filter(({ id }) => id !== one.id),
      { ...one, until: Date.now() + shownWithActionMilliseconds },
    ];
  },
  forget: (id: string) => {
    all = all.filter((one) => one.id !== id);
  },
};
