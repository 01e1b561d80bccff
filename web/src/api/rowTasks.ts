import { useSyncExternalStore } from 'react';
import { onSessionChange } from './session';
import { createStore } from './store';

/** One operation on one row. It holds the row's lock until it ends. */
export interface RowTask<Notice> {
  notify: (notice: Notice) => void;
  end: () => void;
}

/** The rows with an operation in progress, and the notices about them, which may come after the screen was left. */
export function createRowTasks<Notice>() {
  const busy = new Set<string>();
  const store = createStore<ReadonlyMap<string, Notice>>(new Map());
  let session = 0;

  const dismiss = (id: string) =>
    store.set(new Map([...store.get()].filter(([key]) => key !== id)));

  onSessionChange(() => {
    session += 1;
    busy.clear();
    store.set(new Map());
  });

  /** Locks the row, or returns null if it is already locked: two clicks can arrive before one render. */
  const begin = (id: string): RowTask<Notice> | null => {
    if (busy.has(id)) return null;
    const startedIn = session;
    busy.add(id);
    dismiss(id);
    return {
      notify: (notice) => {
        // A notice for one admin must not be shown to the next.
        if (startedIn === session) store.set(new Map(store.get()).set(id, notice));
      },
      end: () => {
        if (startedIn !== session) return;
        busy.delete(id);
        store.set(store.get());
      },
    };
  };

  return {
    begin,
    dismiss,
    subscribe: store.subscribe,
    isBusy: (id: string) => busy.has(id),
    notices: store.get,
  };
}

export type RowTasks<Notice> = ReturnType<typeof createRowTasks<Notice>>;

export const useNotices = <Notice>(tasks: RowTasks<Notice>) =>
  useSyncExternalStore(tasks.subscribe, tasks.notices);

export const useIsBusy = <Notice>(tasks: RowTasks<Notice>, id: string) =>
  useSyncExternalStore(tasks.subscribe, () => tasks.isBusy(id));
