import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface RowWindow {
  start: number;
  end: number;
}

const overscan = 6;
/** Moving in steps keeps most scroll events from rendering anything. */
const step = 4;

export function rowWindowAt(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): RowWindow {
  const first = Math.floor(scrollTop / rowHeight) - overscan;
  const last = Math.ceil((scrollTop + height) / rowHeight) + overscan;
  const start = Math.max(0, Math.floor(first / step) * step);
  const end = Math.min(count, Math.ceil(last / step) * step);
  return { start: Math.min(start, end), end };
}

/** The rows in view (and a few around them) of a list whose rows all have the same height. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [range, setRange] = useState(() => rowWindowAt(0, window.innerHeight, rowHeight, count));
  const heightBefore = useRef(rowHeight);

  useLayoutEffect(() => {
    const element = scroller.current;
    // Rows became cards or back: keep the same row at the top.
    if (element && heightBefore.current !== rowHeight) {
      element.scrollTop = (element.scrollTop / heightBefore.current) * rowHeight;
      heightBefore.current = rowHeight;
    }
  }, [scroller, rowHeight]);

  const show = useCallback(
    (element: HTMLElement, height: number) => {
      const next = rowWindowAt(element.scrollTop, height, rowHeight, count);
      setRange((now) => (now.start === next.start && now.end === next.end ? now : next));
    },
    [rowHeight, count],
  );

  // Before paint: rows that came above have just been scrolled past, and a late window would show a gap.
  useLayoutEffect(() => {
    if (scroller.current) show(scroller.current, heightOf(scroller.current));
  }, [scroller, show]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Measured only when it changes: asking at each scroll would force a layout.
    let height = 0;
    const measure = () => {
      height = heightOf(element);
      show(element, height);
    };
    const update = () => show(element, height);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, show]);

  // The list may have become shorter since the window was computed.
  return { start: Math.min(range.start, count), end: Math.min(range.end, count) };
}

const heightOf = (element: HTMLElement) => element.clientHeight || window.innerHeight;
