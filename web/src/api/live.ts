import { useEffect } from 'react';
import { createStore, useStore } from './store';

/*
 * Connects the screens and the live connection. The connection's code is in a separate file, loaded after the first
 * rows; until then no claim is reported as open elsewhere.
 */

/** Dispatches `back` each time the connection is established. */
export const liveEvents = new EventTarget();

/** What is not needed for the first rows is read once this is true, and then needs no second read. */
const firstReads = createStore(false);
export const setFirstReadsDue = firstReads.set;
export const useFirstReadsDue = () => useStore(firstReads);

/** Whether this admin has an unfinished batch, as the greeting said; without a greeting, it is possible. */
const unfinishedBatch = createStore(true);
export const setHasUnfinishedBatch = unfinishedBatch.set;
export const useHasUnfinishedBatch = () => useStore(unfinishedBatch);

interface OpenClaims {
  /** For each claim, the names of the other admins who have it open, e.g. `asha, ravi`. */
  elsewhere: ReadonlyMap<string, string>;
  here: string | null;
}

const store = createStore<OpenClaims>({ elsewhere: new Map(), here: null });

export const onLiveChange = store.subscribe;

export const setOpenElsewhere = (elsewhere: OpenClaims['elsewhere']) =>
  store.set({ ...store.get(), elsewhere });

/** The other admins who have this claim open; empty if nobody has. */
export const useWhoHasOpen = (id: string) =>
  useStore(store, ({ elsewhere }) => elsewhere.get(id) ?? '');

export const getOpenHere = () => store.get().here;

/** Reports this claim to the other admins as open here, until it is closed. */
export function useOpenHere(id: string | undefined) {
  useEffect(() => {
    const report = (here: string | null) => store.set({ ...store.get(), here });
    report(id ?? null);
    return () => report(null);
  }, [id]);
}
