import {
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { List } from './columns';
import type { VirtualRows } from './virtualRows';

/** For those who act on rows from outside the table. */
export interface TableHandle<Row> {
  /** The row that the keys act on. */
  current: () => { row: Row; index: number } | undefined;
  /** Makes it the current row and says so. Quietly: without scrolling, and only where it is in view. */
  focusRow: (index: number, isQuiet?: boolean) => boolean;
}

interface CurrentRowOptions<Row> {
  handle: Ref<TableHandle<Row>> | undefined;
  list: List<Row>;
  rows: VirtualRows;
  body: RefObject<HTMLElement | null>;
}

/** The row that the keys act on: the one that had the focus last. */
export function useCurrentRow<Row>({ handle, list, rows, body }: CurrentRowOptions<Row>) {
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

  const now = () => {
    const { index } = current.current;
    const row = index < 0 ? undefined : list.rowAt(index);
    return row !== undefined && !list.isOutdated ? { row, index } : undefined;
  };
  const focusRow = (index: number, isQuiet = false) => {
    const { start, end } = rows.inView();
    if (isQuiet && (index < start || index >= end)) return false;
    current.current.index = index;
    awaited.current = index;
    if (!isQuiet) rows.scrollToRow(index);
    focusAwaited();
    return true;
  };
  useImperativeHandle(handle, () => ({ current: now, focusRow }));

  return {
    now,
    remember: (index: number) => {
      current.current.index = index;
      awaited.current = -1;
    },
    moveBy: (step: number) => {
      const count = list.count ?? 0;
      if (count === 0) return;
      const { index } = current.current;
      const next = index < 0 ? rows.inView().start : index + step;
      focusRow(Math.min(Math.max(0, next), count - 1));
    },
  };
}
