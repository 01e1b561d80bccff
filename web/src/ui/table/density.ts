import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';

const key = 'density';
const listeners = new Set<() => void>();

const densityNow = (): Density =>
  localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable';

export function chooseDensity(density: Density) {
  if (density === 'compact') localStorage.setItem(key, density);
  else localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

/** How high the rows are: a matter of the eyes and the screen, so it is kept by the browser, not in the address. */
export const useDensity = (): Density =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, densityNow);

export const rowHeightOf: Record<Density, number> = { comfortable: 40, compact: 32 };
