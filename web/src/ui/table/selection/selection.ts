import { useEffect, useRef, useState } from 'react';
import type { List, WithId } from '../columns/columns';

/** A row as it was when it was selected, and as it is now. */
export interface ChosenRow<Row> {
  seen: Row;
  now: Row;
}

interface Chosen<Row> {
  isAll: boolean;
  /** The selected rows or, with `isAll`, the excluded ones. */
  rows: ReadonlyMap<string, ChosenRow<Row>>;
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
 * The selection. It keeps whole rows instead of ids: their page may be gone when they are summed or copied. They are
 * renewed like the rows on the screen: what is copied must not be an account that was corrected since.
 * A different search or filter (`meaning`) clears it, because the selected rows may not match the new one.
 */
export function useSelection<Row extends WithId>(
  meaning: string,
  { rowAt, hold }: Pick<List<Row>, 'rowAt' | 'hold'>,
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

  const latest = useRef(chosen.rows);
  latest.current = chosen.rows;
  const holding = useRef(hold);
  useEffect(
    () =>
      holding.current?.({
        rows: () => [...latest.current.values()].map(({ now }) => now),
        renew: (newest) =>
          setState((now) => {
            const rows = renewed(now.chosen.rows, newest);
            return rows === now.chosen.rows ? now : { ...now, chosen: { ...now.chosen, rows } };
          }),
      }),
    [],
  );

  const set = (change: (chosen: Chosen<Row>) => Chosen<Row>) =>
    setState((now) => ({ ...now, chosen: change(now.chosen) }));

  const setMany = (rows: readonly Row[], isChosen: boolean) =>
    set((now) => {
      const next = new Map(now.rows);
      for (const row of rows) {
        if (isChosen === now.isAll) next.delete(row._id);
        else next.set(row._id, { seen: row, now: row });
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

/** The same map if nothing has changed, so that nothing is rendered again. */
function renewed<Row>(
  rows: ReadonlyMap<string, ChosenRow<Row>>,
  newest: (row: Row) => Row,
): ReadonlyMap<string, ChosenRow<Row>> {
  const next = new Map(
    [...rows].map(([id, { seen, now }]) => [id, { seen, now: newest(now) }] as const),
  );
  return [...next].some(([id, { now }]) => now !== rows.get(id)?.now) ? next : rows;
}
