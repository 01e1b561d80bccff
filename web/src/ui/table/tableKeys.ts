import { useEffect, useRef } from 'react';
import { isForKeys } from '../keys';

export interface TableKeys {
  onSearch: () => void;
  /** By so many rows. */
  onMove: (rows: number) => void;
  onSelect: () => void;
  onOpen: () => void;
  /** What to do instead of pressing what has the focus in a row, where that row is out of sight. */
  onPress: () => (() => void) | undefined;
}

/** The table's letters. They only look and choose; what a screen's own letters do is its matter. */
export function useTableKeys(keys: TableKeys) {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isForKeys(event)) return;
      const act = actionOf(event, latest.current);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function actionOf(event: KeyboardEvent, keys: TableKeys): (() => void) | undefined {
  switch (event.key) {
    case '/':
      return keys.onSearch;
    case 'j':
      return () => keys.onMove(1);
    case 'k':
      return () => keys.onMove(-1);
    case 'x':
      return keys.onSelect;
    case 'Enter':
    case ' ': {
      const row = rowOf(event.target);
      // On a button, a link or a box they are theirs.
      if (row !== event.target) return row ? keys.onPress() : undefined;
      return event.key === 'Enter' ? keys.onOpen : undefined;
    }
    default:
      return undefined;
  }
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[data-row-id]') : null;
