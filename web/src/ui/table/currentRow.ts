import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { List } from './columns';
import type { VirtualRows } from './virtualRows';

interface CurrentRowOptions<Row> {
  list: List<Row>;
  rows: VirtualRows;
  body: RefObject<HTMLElement | null>;
}

/** The row that the keys act on: the one that had the focus last. */
export function useCurrentRow<Row>({ list, rows, body }: CurrentRowOptions<Row>) {
  const current = useRef({ listKey: list.key, index: -1 });
  /** The row that is to get the focus once it is drawn. */
  const awaited = useRef(-1);
  if (current.current.listKey !== list.key) {
    current.current = { listKey: list.key, index: -1 };
    awaited.current = -1;
  }

  const focusAwaited = useCallback(() => {
    if (awaited.current < 0) return;
    const row = body.current?.querySelector<HTMLElement>(
      `[data-row-id][aria-rowindex="${awaited.current + 2}"]`,
    );
    if (!row) return;
    awaited.current = -1;
    row.focus({ preventScroll: true });
  }, [body]);

  // After each drawing: a row that is still on its way gets the focus when it arrives.
  useLayoutEffect(focusAwaited);

  return {
    remember: (index: number) => {
      current.current.index = index;
      awaited.current = -1;
    },
    moveBy: (step: number) => {
      const count = list.count ?? 0;
      if (count === 0) return;
      const { index } = current.current;
      const next = index < 0 ? rows.inView().start : index + step;
      const place = Math.min(Math.max(0, next), count - 1);
      current.current.index = place;
      awaited.current = place;
      rows.scrollToRow(place);
      focusAwaited();
    },
    with: (act: (row: Row, index: number) => void) => {
      const { index } = current.current;
      const row = index < 0 ? undefined : list.rowAt(index);
      if (row !== undefined && !list.isOutdated) act(row, index);
    },
  };
}
