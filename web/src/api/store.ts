import { useSyncExternalStore } from 'react';

/** State that outlives the screens, e.g. because a response may arrive after the admin has left one. */
export function createStore<State>(initial: State) {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    get: () => state,
    set: (next: State) => {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Store<State> = ReturnType<typeof createStore<State>>;

/** The selected part must be the same object as long as it has not changed. */
export const useStore = <State, Part>(store: Store<State>, select: (state: State) => Part): Part =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
