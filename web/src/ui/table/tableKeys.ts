import { useEffect, useRef } from 'react';
import { isForKeys } from '../keys';

export interface TableKeys {
  onSearch: () => void;
  /** By so many rows. */
  onMove: (rows: number) => void;
  onSelect: () => void;
  onOpen: () => void;
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
      // On a button, a link or a box Enter is theirs.
      return isRow(event.target) ? keys.onOpen : undefined;
    default:
      return undefined;
  }
}

const isRow = (target: EventTarget | null) =>
  target instanceof Element && target.matches('[data-row-id]');
