import { useRef, useState } from 'react';
import type { WithId } from '../columns/columns';

interface Chosen<Row> {
  isAll: boolean;
  /** The selected rows or, with `isAll`, the excluded ones. */
  rows: ReadonlyMap<string, Row>;
}

export interface Selection<Row> extends Chosen<Row> {
  isChosen: (id: string) => boolean;
  isEmpty: boolean;
  toggle: (row: Row, index: number, withRange: boolean) => void;
  setMany: (rows: readonly Row[], isChosen: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
}

const none = { isAll: false, rows: new Map<string, never>() };

/**
 * The selection. It keeps whole rows instead of ids: their page may be gone when they are summed or copied.
 * A different search or filter (`meaning`) clears it, because the selected rows may not match the new one.
 */
export function useSelection<Row extends WithId>(
  meaning: string,
  rowAt: (index: number) => Row | undefined,
): Selection<Row> {
  const start: { meaning: string; chosen: Chosen<Row> } = { meaning, chosen: none };
  const [state, setState] = useState(start);
  const { chosen } = state;
  const lastToggled = useRef<number | null>(null);
  // Cleared, not just hidden: otherwise it would reappear, hardly noticed, when the old filter is restored.
  if (state.meaning !== meaning) {
    lastToggled.current = null;
    setState(start);
  }

  const set = (change: (chosen: Chosen<Row>) => Chosen<Row>) =>
    setState((now) => ({ ...now, chosen: change(now.chosen) }));

  const setMany = (rows: readonly Row[], isChosen: boolean) =>
    set((now) => {
      const next = new Map(now.rows);
      for (const row of rows) {
        if (isChosen === now.isAll) next.delete(row._id);
        else next.set(row._id, row);
      }
      return { ...now, rows: next };
    });

  const isChosen = (id: string) => chosen.rows.has(id) !== chosen.isAll;

  /** With Shift, toggles the whole range from the row that was toggled last. */
  const toggle = (row: Row, index: number, withRange: boolean) => {
    const from = withRange && lastToggled.current !== null ? lastToggled.current : index;
    lastToggled.current = index;
    const range: Row[] = [row];
    for (let place = Math.min(from, index); place <= Math.max(from, index); place++) {
      const between = place === index ? undefined : rowAt(place);
      if (between !== undefined) range.push(between);
    }
    setMany(range, !isChosen(row._id));
  };

  return {
    ...chosen,
    isEmpty: !chosen.isAll && chosen.rows.size === 0,
    isChosen,
    toggle,
    setMany,
    chooseAll: () => set(() => ({ isAll: true, rows: new Map() })),
    clear: () => {
      lastToggled.current = null;
      set(() => none);
    },
  };
}
