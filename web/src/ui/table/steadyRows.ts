import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/*
 * A row that moves under the pointer is how the wrong claim gets accepted or paid. In a table that scrolls
 * inside, two things would move it, and both are answered by scrolling the rows back to where they were:
 * what appears or goes above the table, and rows that come or go above those in view.
 * A table that grows with the page is not held.
 */

type Scroller = RefObject<HTMLElement | null>;

/**
 * How far each table was scrolled, by the admin or from here. Not simply asked for: at the end of the list
 * the browser also scrolls by itself when the table grows or the list shrinks, and that would count twice.
 */
const heldAt = new WeakMap<HTMLElement, number>();

/** Holds the rows when a notice appears or goes above the table. */
export function useSteadyRows(scroller: Scroller, isHeld: boolean) {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isHeld) return;
    let { top } = element.getBoundingClientRect();
    let width = window.innerWidth;
    let { clientHeight } = element;
    const follow = () => {
      if (element.clientHeight === clientHeight) heldAt.set(element, element.scrollTop);
    };
    follow();
    // Runs after layout and before paint, so nothing is seen to jump.
    const resized = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      if (width === window.innerWidth) scrollRowsTo(element, topOf(element) + now - top);
      top = now;
      width = window.innerWidth;
      clientHeight = element.clientHeight;
      follow();
    });
    resized.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [scroller, isHeld]);
}

interface AnchoredRows<Row> {
  rows: readonly Row[];
  idOf: (row: Row) => string;
  rowHeight: number;
  isHeld: boolean;
  /** Told how many rows have come above those in view, and told 0 once the top is in view. */
  setNewAbove: (change: (before: number) => number) => void;
}

/** Holds the rows in view when the list comes anew with other rows above them, also at the very top. */
export function useAnchoredRows<Row>(scroller: Scroller, anchored: AnchoredRows<Row>) {
  const { rows, idOf, rowHeight, isHeld, setNewAbove } = anchored;
  const before = useRef(rows);

  useLayoutEffect(() => {
    const element = scroller.current;
    const rowsBefore = before.current;
    before.current = rows;
    if (!element || !isHeld || rowsBefore === rows) return;
    const scrollTop = topOf(element);
    const firstInView = Math.floor(scrollTop / rowHeight);
    const shift = shiftOf(rowsBefore, rows, firstInView, idOf);
    if (shift === 0) return;
    scrollRowsTo(element, scrollTop + shift * rowHeight);
    setNewAbove((count) => Math.max(0, count + shift));
  }, [scroller, rows, idOf, rowHeight, isHeld, setNewAbove]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      if (element.scrollTop <= 0) setNewAbove(() => 0);
      if (element.style.getPropertyValue('--room')) leaveRoom(element, element.scrollTop);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      setNewAbove(() => 0);
    };
  }, [scroller, setNewAbove]);
}

/** By how many places the first row in view has moved; if it is gone, the next one that is still there. */
function shiftOf<Row>(
  before: readonly Row[],
  now: readonly Row[],
  firstInView: number,
  idOf: (row: Row) => string,
): number {
  const held = before[firstInView];
  const there = now[firstInView];
  // The usual case, e.g. one row's status changed: no need to look through 100,000 rows.
  if (held && there && idOf(held) === idOf(there)) return 0;
  const places = new Map(now.map((row, index) => [idOf(row), index]));
  for (const [offset, row] of before.slice(firstInView).entries()) {
    const place = places.get(idOf(row));
    if (place !== undefined) return place - (firstInView + offset);
  }
  return 0;
}

const topOf = (scroller: HTMLElement) => heldAt.get(scroller) ?? scroller.scrollTop;

function scrollRowsTo(scroller: HTMLElement, scrollTop: number) {
  leaveRoom(scroller, Math.max(0, scrollTop));
  scroller.scrollTop = scrollTop;
  heldAt.set(scroller, scroller.scrollTop);
}

/** Room below the last row, without which a short list could not be scrolled that far. */
function leaveRoom(scroller: HTMLElement, scrollTop: number) {
  const body = scroller.lastElementChild as HTMLElement | null;
  const end = body ? body.offsetTop + body.offsetHeight : 0;
  const room = Math.max(0, scrollTop + scroller.clientHeight - end);
  if (room > 0) scroller.style.setProperty('--room', `${room}px`);
  else scroller.style.removeProperty('--room');
}
