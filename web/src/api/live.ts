import { useEffect, useSyncExternalStore } from 'react';

/*
 * Where the screens and the live connection meet. The connection comes in a file of its own, after the first
 * rows; until then nobody has anything open.
 */

/** Says `back` each time that the connection is there. */
export const line = new EventTarget();

const listeners = new Set<() => void>();
let openElsewhere: ReadonlyMap<string, string> = new Map();
let openHere: string | null = null;

const tellEveryone = () => {
  for (const listener of listeners) listener();
};

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** By claim, the names of the others who have it open. */
export function setOpenElsewhere(names: ReadonlyMap<string, string>) {
  openElsewhere = names;
  tellEveryone();
}

/** Who else has this claim open, e.g. `asha, ravi`; empty for nobody. */
export const useWhoHasOpen = (id: string) =>
  useSyncExternalStore(onLiveChange, () => openElsewhere.get(id) ?? '');

export const getOpenHere = () => openHere;

/** Says to the others that this claim is open here, for as long as it is. */
export function useOpenHere(id: string | undefined) {
  useEffect(() => {
    const say = (now: string | null) => {
      openHere = now;
      tellEveryone();
    };
    say(id ?? null);
    return () => say(null);
  }, [id]);
}
