import { useRef, useState } from 'react';

/** Which rows are chosen: these, or all that match except these. */
interface Chosen<Row> {
  isAll: boolean;
  rows: ReadonlyMap<string, Row>;
}

export interface Selection<Row> {
  isAll: boolean;
  isChosen: (id: string) => boolean;
  /** Those chosen, or with `isAll` those left out. */
  rows: ReadonlyMap<string, Row>;
  isEmpty: boolean;
  toggle: (row: Row, index: number, withRange: boolean) => void;
  setMany: (rows: readonly Row[], isChosen: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
}

const none = { isAll: false, rows: new Map<string, never>() };

/**
 * The chosen rows, kept themselves and not only by id: their page may be gone when they are summed or copied.
 * Another search or filter (`meaning`) ends it: what was chosen there may not match here.
 */
export function useSelection<Row>(
  meaning: string,
  idOf: (row: Row) => string,
  rowAt: (index: number) => Row | undefined,
): Selection<Row> {
  const [state, setState] = useState<{ meaning: string; chosen: Chosen<Row> }>({
    meaning,
    chosen: none,
  });
  const { chosen } = state;
  const lastToggled = useRef<number | null>(null);
  // Not only hidden: it would be there again, and hardly noticed, once the filter is what it was.
  if (state.meaning !== meaning) {
    lastToggled.current = null;
    setState({ meaning, chosen: none });
  }

  const set = (change: (chosen: Chosen<Row>) => Chosen<Row>) =>
    setState((now) => ({ ...now, chosen: change(now.chosen) }));

  const setMany = (rows: readonly Row[], isChosen: boolean) =>
    set((now) => {
      const next = new Map(now.rows);
      for (const row of rows) {
        if (isChosen === now.isAll) next.delete(idOf(row));
        else next.set(idOf(row), row);
      }
      return { ...now, rows: next };
    });

  const isChosen = (id: string) => chosen.rows.has(id) !== chosen.isAll;

  /** With the range from the row that was toggled before, where Shift asks for it. */
  const toggle = (row: Row, index: number, withRange: boolean) => {
    const from = withRange && lastToggled.current !== null ? lastToggled.current : index;
    lastToggled.current = index;
    const range: Row[] = [row];
    for (let place = Math.min(from, index); place <= Math.max(from, index); place++) {
      const between = place === index ? undefined : rowAt(place);
      if (between !== undefined) range.push(between);
    }
    setMany(range, !isChosen(idOf(row)));
  };

  return {
    isAll: chosen.isAll,
    rows: chosen.rows,
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
