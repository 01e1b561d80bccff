import {
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
} from 'react';
import type { List } from '../columns/columns';
import type { RowWindow, VirtualRows } from './virtualRows';

interface Current<Row> {
  row: Row;
  index: number;
}

/** For code outside the table that acts on rows. */
export interface TableHandle<Row> {
  /** The row that the keyboard shortcuts act on. */
  current: () => Current<Row> | undefined;
  /** The current row if it is in view. Otherwise scrolls to it: nobody should act on a row that they do not see. */
  seen: () => Current<Row> | undefined;
  /**
   * Makes it the current row; returns whether it did. Ignores -1, a row that is not in the list. If quiet: without
   * scrolling, and only if the row is in view.
   */
  focusRow: (index: number, isQuiet?: boolean) => boolean;
  /** Scrolls to a row that is out of view. The current row stays the same. */
  showRow: (index: number) => void;
  /** Makes the first row the current one, as soon as the rows of the latest search have arrived. */
  focusFirst: () => void;
}

interface CurrentRowOptions<Row> {
  handle: Ref<TableHandle<Row>> | undefined;
  list: List<Row>;
  rows: VirtualRows;
  body: RefObject<HTMLElement | null>;
}

/** The row that the keyboard shortcuts act on: the one that had the focus last. */
export function useCurrentRow<Row>({ handle, list, rows, body }: CurrentRowOptions<Row>) {
  /** `awaited` is the row to focus once it is rendered. */
  const state = useRef({ listKey: list.key, index: -1, awaited: -1 });
  if (state.current.listKey !== list.key) {
    state.current = { listKey: list.key, index: -1, awaited: -1 };
  }
  const drawnAt = (index: number) =>
    body.current?.querySelector<HTMLElement>(`[data-row-id][aria-rowindex="${index + 2}"]`);

  const focusAwaited = () => {
    const { awaited } = state.current;
    const row = awaited < 0 ? undefined : drawnAt(awaited);
    if (!row) return;
    state.current.awaited = -1;
    row.focus({ preventScroll: true });
    if (!isOnPage(row)) row.scrollIntoView({ block: 'center' });
  };

  const isFirstAwaited = useRef(false);
  const [, render] = useReducer((count: number) => count + 1, 0);
  // Only after the next render: a search that was sent in the same event has changed the list by then.
  const focusFirst = () => {
    isFirstAwaited.current = true;
    render();
  };

  // After each render: a row that is still loading gets the focus when it arrives.
  useLayoutEffect(() => {
    if (isFirstAwaited.current && !list.isOutdated && list.count !== undefined) {
      isFirstAwaited.current = false;
      if (list.count > 0) focusRow(0);
    }
    focusAwaited();
  });

  const now = () => {
    const { index } = state.current;
    const row = index < 0 ? undefined : list.rowAt(index);
    return row !== undefined && !list.isOutdated ? { row, index } : undefined;
  };
  const isInView = (index: number) => {
    const row = drawnAt(index);
    return isWithin(rows.inView(), index) && (!row || isOnPage(row));
  };
  const focusRow = (index: number, isQuiet = false) => {
    if (index < 0 || (isQuiet && !isInView(index))) return false;
    Object.assign(state.current, { index, awaited: index });
    if (!isQuiet) rows.scrollToRow(index);
    focusAwaited();
    return true;
  };
  const seen = () => {
    const found = now();
    if (!found || focusRow(found.index, true)) return found;
    focusRow(found.index);
    return undefined;
  };
  const showRow = (index: number) => {
    if (index >= 0 && !isInView(index)) rows.scrollToRow(index);
  };
  useImperativeHandle(handle, () => ({ current: now, seen, focusRow, showRow, focusFirst }));

  /** Whether part of the row is in view; if so, its buttons may be pressed. */
  const isInSight = () => isWithin(rows.inView(1), state.current.index);

  return {
    now,
    seen,
    isInSight,
    remember: (index: number) => void Object.assign(state.current, { index, awaited: -1 }),
    /** Moves from the current row or, if that is out of view, from the edge of the view that the step starts from. */
    moveBy: (step: number) => {
      const count = list.count ?? 0;
      if (count === 0) return;
      const { start, end } = rows.inView();
      const first = step > 0 ? start : end - 1;
      const next = isInSight() ? state.current.index + step : first;
      focusRow(Math.min(Math.max(0, next), count - 1));
    },
  };
}

const isWithin = ({ start, end }: RowWindow, index: number) => index >= start && index < end;

/**
 * Whether a row that is in view of the table is fully visible on the page. In a short window the page scrolls too, and
 * the selection bar stays visible above the rows.
 */
export function isOnPage(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const page = (row.closest('main') ?? document.body).getBoundingClientRect();
  const bar = row.closest('[role="table"]')?.parentElement?.querySelector('section');
  const end = Math.min(page.bottom, bar?.getBoundingClientRect().top ?? page.bottom);
  // Zooming produces fractions of pixels.
  return top > page.top - 1 && bottom < end + 1;
}
