import { createStore } from '../../api/store';

/** One entry of the server's log, as an event reports it. */
export interface Change {
  verb: string;
  subjectId: string;
  by: string;
  at: string;
  status: string | null;
  version: number | null;
}

/** The newest change of each claim that the live connection has reported, by the id of the claim. */
export const liveChanges = createStore<ReadonlyMap<string, Change>>(new Map());
