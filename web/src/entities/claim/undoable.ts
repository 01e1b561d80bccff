import { onSessionChange } from '../../api/session';
import type { Claim } from './claim';

/** A move of one claim, or of a batch, which knows itself how to undo it. */
export interface Undoable {
  id: string;
  claim?: Claim;
  undo?: () => void;
}

/** What this admin did in this tab and may undo, newest last. The server decides whether it still can be undone. */
let all: readonly Undoable[] = [];
onSessionChange(() => {
  all = [];
});

export const undoables = {
  last: () => all.at(-1),
  add: (one: Undoable) => {
    all = [...all.filter(({ id }) => id !== one.id), one];
  },
  forget: (id: string) => {
    all = all.filter((one) => one.id !== id);
  },
};
