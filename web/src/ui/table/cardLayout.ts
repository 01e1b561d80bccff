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
