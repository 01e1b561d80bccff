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

type Store<State> = Pick<ReturnType<typeof createStore<State>>, 'get' | 'subscribe'>;

/** The selected part must be the same object as long as it has not changed. */
export function useStore<State>(store: Store<State>): State;
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part;
export function useStore<State>(store: Store<State>, select = (state: State): unknown => state) {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
