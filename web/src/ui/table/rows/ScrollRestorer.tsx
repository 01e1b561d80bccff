import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/*
 * The position of a table is stored in the browser's history entry, so that Back, Forward and a reload return to it.
 * A new entry (a link, the menu, another filter) has no position and starts at the top.
 */

interface Place {
  /** The index of the top row, plus the fraction of it that was scrolled away. */
  top: number;
  /** The minimum number of rows: as many as were scrolled to. */
  count: number;
  /** The id of the current row. Not its index: rows may have been added above it. */
  id?: string | undefined;
}

export const savedPlace = (): Place => ({ top: 0, count: 0, ...history.state });

export const clearSavedPlace = () => history.replaceState(null, '');

interface ScrollRestorerProps {
  scroller: RefObject<HTMLElement | null>;
  placeNow: () => Place;
  /** A different view is a different history entry, even if it shows the same rows. */
  view: unknown;
}

/** Longer than the pause between two wheel events; Safari allows only a hundred history updates in 30 seconds. */
const restMilliseconds = 300;

/** Stores the scroll position of the table, and restores the focus to the row that had it when the table was left. */
export function ScrollRestorer({ scroller, placeNow, view }: ScrollRestorerProps) {
  const latest = useRef(placeNow);
  latest.current = placeNow;
  const left = useRef(savedPlace().id);

  // After each render: the row may not have loaded yet.
  useLayoutEffect(() => {
    // Skip this if the admin has focused something else in the meantime.
    if (!left.current || !document.activeElement?.matches('body, h1')) return;
    const selector = `[data-row-id="${CSS.escape(left.current)}"]`;
    const row = scroller.current?.querySelector<HTMLElement>(selector);
    if (!row) return;
    row.focus({ preventScroll: true });
    // After a click browsers show no focus ring, but the next key may act on this row.
    row.setAttribute('aria-current', 'true');
    row.addEventListener('blur', () => row.removeAttribute('aria-current'), { once: true });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own position
  useEffect(() => {
    const element = scroller.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(timer);
      timer = undefined;
      // Keep the other fields of the state, e.g. the mark of an open panel.
      history.replaceState({ ...history.state, ...latest.current() }, '');
    };
    const keepLater = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, restMilliseconds);
    };
    const turnTo = () => {
      left.current = undefined;
      keepLater();
    };
    // A press or Enter may leave the screen before the timer fires.
    const press = (event: Event) => {
      if (timer && !(event instanceof KeyboardEvent && event.key !== 'Enter')) keep();
    };
    keepLater();
    const listeners = new AbortController();
    const { signal } = listeners;
    element?.addEventListener('scroll', keepLater, { passive: true, signal });
    element?.addEventListener('focusin', turnTo, { signal });
    window.addEventListener('pointerdown', press, { capture: true, signal });
    window.addEventListener('keydown', press, { capture: true, signal });
    return () => {
      clearTimeout(timer);
      listeners.abort();
    };
  }, [scroller, view]);

  return null;
}
