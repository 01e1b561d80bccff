import { useEffect, useSyncExternalStore } from 'react';

/*
 * Connects the screens and the live connection. The connection's code is in a separate file, loaded after the first
 * rows; until then no claim is reported as open elsewhere.
 */

/** Dispatches `back` each time the connection is established. */
export const liveEvents = new EventTarget();

const listeners = new Set<() => void>();
let openElsewhere: ReadonlyMap<string, string> = new Map();
let openHere: string | null = null;

const notifyListeners = () => {
  for (const listener of listeners) listener();
};

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sets, for each claim, the names of the other admins who have it open. */
export function setOpenElsewhere(names: ReadonlyMap<string, string>) {
  openElsewhere = names;
  notifyListeners();
}

/** The other admins who have this claim open, e.g. `asha, ravi`; empty if nobody has. */
export const useWhoHasOpen = (id: string) =>
  useSyncExternalStore(onLiveChange, () => openElsewhere.get(id) ?? '');

export const getOpenHere = () => openHere;

/** Reports this claim to the other admins as open here, until it is closed. */
export function useOpenHere(id: string | undefined) {
  useEffect(() => {
    const say = (now: string | null) => {
      openHere = now;
      notifyListeners();
    };
    say(id ?? null);
    return () => say(null);
  }, [id]);
}
