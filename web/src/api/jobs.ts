import { onSessionChange } from './session';
import { createStore } from './store';

/** The long-running jobs of one kind. Outside the components, because a job outlives many screens. */
export function createJobs<Job extends { readonly id: string }>() {
  const { get, set, subscribe } = createStore<readonly Job[]>([]);
  // The jobs of one admin are not shown to the next, and never continue with the session of the next.
  onSessionChange(() => set([]));
  const allBut = (id: string) => get().filter((job) => job.id !== id);
  return {
    get,
    set,
    subscribe,
    /** Undefined after the job was dismissed or the session changed. */
    find: (id: string) => get().find((job) => job.id === id),
    /** Replaces a job with the same id. */
    add: (job: Job) => set([...allBut(job.id), job]),
    patch: (id: string, changes: Partial<Job>) =>
      set(get().map((job) => (job.id === id ? { ...job, ...changes } : job))),
    dismiss: (id: string) => set(allBut(id)),
  };
}
