import { useSyncExternalStore } from 'react';
import type { CardLayout } from './columns';

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The narrowest card layout that fits the window, or undefined when there is room for a table. */
export const useCardLayout = (layouts: readonly CardLayout[]) =>
  useSyncExternalStore(onResize, () =>
    layouts.find(({ upTo }) => window.matchMedia(`(max-width: ${upTo}px)`).matches),
  );

type Density = 'comfortable' | 'compact';

const key = 'density';
const listeners = new Set<() => void>();

export function chooseDensity(density: Density) {
  if (density === 'compact') localStorage.setItem(key, density);
  else localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

function onDensity(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The row height. It depends on the person and the screen, so the browser stores it; it is not in the URL. */
export const useDensity = () =>
  useSyncExternalStore(onDensity, () =>
    localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable',
  );

export const rowHeightOf: Record<Density, number> = { comfortable: 40, compact: 32 };
