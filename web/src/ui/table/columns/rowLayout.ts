import { useMemo, useSyncExternalStore } from 'react';
import { type CardLayout, type Column, hasPlace } from './columns';

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

const isFrom = (width: number) => window.matchMedia(`(min-width: ${width}px)`).matches;

/** As in the style sheets: a narrower window shows cards. */
const tablesFrom = 768;

/** Undefined if there is room for a table. */
export const useCardLayout = (card: CardLayout) =>
  useSyncExternalStore(onResize, () => (isFrom(tablesFrom) ? undefined : card));

/** The columns for which the card, or the window, has a place. */
export function usePlaced<Row>(columns: readonly Column<Row>[], card: CardLayout | undefined) {
  const keys = useSyncExternalStore(onResize, () =>
    columns
      .filter(({ key, from = 0 }) => (card ? hasPlace(card, key) : isFrom(from)))
      .map(({ key }) => key)
      .join(' '),
  );
  return useMemo(() => {
    const placed = keys.split(' ');
    return columns.filter(({ key }) => placed.includes(key));
  }, [columns, keys]);
}

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
