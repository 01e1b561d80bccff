import { useCallback, useSyncExternalStore } from 'react';
import type { CardLayout } from './columns';

const queryOf = (layout: CardLayout) => `(max-width: ${layout.upTo}px)`;

/** The narrowest card layout that fits the window, or undefined when there is room for a table. */
export function useCardLayout(layouts: readonly CardLayout[]): CardLayout | undefined {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const queries = layouts.map((layout) => window.matchMedia(queryOf(layout)));
      for (const query of queries) query.addEventListener('change', onChange);
      return () => {
        for (const query of queries) query.removeEventListener('change', onChange);
      };
    },
    [layouts],
  );
  return useSyncExternalStore(subscribe, () =>
    layouts.find((layout) => window.matchMedia(queryOf(layout)).matches),
  );
}

type Density = 'comfortable' | 'compact';

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
