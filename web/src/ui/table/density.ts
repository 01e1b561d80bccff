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

/** The row height. It depends on the person and the screen, so the browser stores it; it is not in the URL. */
export const useDensity = (): Density =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, densityNow);

export const rowHeightOf: Record<Density, number> = { comfortable: 40, compact: 32 };
