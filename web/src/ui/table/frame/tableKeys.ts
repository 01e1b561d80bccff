import { useEffect, useRef } from 'react';
import { isShortcut } from '../../page/keys';

interface TableKeys {
  onSearch: () => void;
  /** Moves by this number of rows. */
  onMove: (rows: number) => void;
  onSelect: () => void;
  onOpen: () => void;
  /** The action that replaces pressing the focused control, if its row is out of view. */
  onPress: () => (() => void) | undefined;
}

/** The table's keyboard shortcuts. They only navigate and select; a screen may add its own. */
export function useTableKeys(keys: TableKeys) {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
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
      // On a button, a link or a checkbox these keys belong to that control.
      if (row !== event.target) return row ? keys.onPress() : undefined;
      return event.key === 'Enter' ? keys.onOpen : undefined;
    }
    default:
      return undefined;
  }
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[data-row-id]') : null;
