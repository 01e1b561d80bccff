import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { savedPlace } from './ScrollRestorer';
import {
  isScaled,
  isScrollbarDrifting,
  positionAfter,
  type Scale,
  scaleOf,
  scrollTopAt,
} from './scrollScale';

/**
 * The usual height of everything above and below the rows. The first render assumes that the rows get the rest of the
 * window, and then measures. Usually that is enough rows, and nothing renders twice before the first paint.
 */
const aroundTheRows = 300;

/** After this long without a scroll event the scrolling has stopped, and the scrollbar may be corrected. */
const restMilliseconds = 160;

export interface VirtualRows extends RowWindow {
  /** How many pixels to subtract from the offset of each row: zero unless the list is scaled. */
  shift: number;
  height: number;
  scrollToRow: (index: number) => void;
  /** For code that has just changed the height of the table; otherwise it is measured after the next frame. */
  measure: () => void;
  /**
   * The rows in view, without overscan: fully visible, or visible by at least this many pixels. `top` is the index of
   * the top row, plus the fraction of it that is scrolled away.
   */
  inView: (pixels?: number) => RowWindow & { top: number };
}

/** Virtualizes a list of any length with rows of equal height: returns the rows in view and a few around them. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  listKey: string,
): VirtualRows {
  // No overscan until the first view is painted.
  const [guessed] = useState(() => Math.max(0, window.innerHeight - aroundTheRows));
  const at = useRef({ position: 0, scrollTop: 0, height: guessed, around: 0 });
  const [drawn, setDrawn] = useState(() => ({
    ...rowWindowAt(0, guessed, rowHeight, count, 0),
    shift: 0,
  }));
  const before = useRef<{ rowHeight: number; listKey?: string | undefined }>({ rowHeight });
  const hasRows = count > 0;

  const scaleNow = useCallback(
    (): Scale => scaleOf(count, rowHeight, at.current.height),
    [count, rowHeight],
  );
  const draw = useCallback(() => {
    const { position, scrollTop, height, around } = at.current;
    const next = rowWindowAt(position, height, rowHeight, count, around);
    const shift = position - scrollTop;
    setDrawn((now) =>
      now.start === next.start && now.end === next.end && now.shift === shift
        ? now
        : { ...next, shift },
    );
  }, [count, rowHeight]);

  /** Shows the rows at this position and sets the scrollbar to match. At the current position the rows do not move. */
  const goTo = useCallback(
    (position: number) => {
      const element = scroller.current;
      if (!element) return;
      element.scrollTop = scrollTopAt(position, scaleNow());
      const { scrollTop } = element;
      moveTo(at.current, scrollTop, isScaled(scaleNow()) ? position : scrollTop);
      draw();
    },
    [scroller, scaleNow, draw],
  );
  const follow = useCallback(
    ({ scrollTop }: HTMLElement) =>
      moveTo(at.current, scrollTop, positionAfter(at.current, scrollTop, scaleNow())),
    [scaleNow],
  );

  // Before paint: a late update would show a gap. A different list starts at its top, or where it was left.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    at.current.height = heightOf(element, body.current);
    if (hasRows && before.current.listKey !== listKey) goTo(savedPlace().top * rowHeight);
    else if (before.current.rowHeight !== rowHeight) {
      // The row height changed (e.g. rows became cards): keep the same row at the top.
      goTo((at.current.position / before.current.rowHeight) * rowHeight);
    } else {
      follow(element);
      draw();
    }
    before.current = { rowHeight, listKey: hasRows ? listKey : undefined };
  }, [scroller, body, hasRows, rowHeight, listKey, goTo, draw, follow]);

  // Measured only when it changes: measuring on each scroll event would force a layout.
  const measure = useCallback(() => {
    if (!scroller.current) return;
    at.current.height = heightOf(scroller.current, body.current);
    draw();
  }, [scroller, body, draw]);

  const latestDraw = useRef(draw);
  latestDraw.current = draw;
  useEffect(() => {
    if (!hasRows || at.current.around > 0) return;
    // A timer set in an animation frame fires after that frame is painted.
    const frame = requestAnimationFrame(() =>
      setTimeout(() => {
        at.current.around = overscan;
        latestDraw.current();
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [hasRows]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const onScroll = () => {
      follow(element);
      clearTimeout(timer);
      if (isScaled(scaleNow())) {
        const { position, scrollTop } = at.current;
        if (isScrollbarDrifting(position, scrollTop, scaleNow())) return goTo(position);
        timer = setTimeout(() => goTo(at.current.position), restMilliseconds);
      }
      // Synchronously, before this frame is painted: rows rendered one task later would leave it empty.
      flushSync(draw);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, measure, scaleNow, draw, goTo, follow]);

  return {
    // The list may have become shorter since the range was computed.
    start: Math.min(drawn.start, count),
    end: Math.min(drawn.end, count),
    shift: drawn.shift,
    height: scaleOf(count, rowHeight, 0).drawn,
    measure,
    scrollToRow: (index) => {
      const { position, height } = at.current;
      const top = index * rowHeight;
      if (top < position) goTo(top);
      else if (top + rowHeight > position + height) goTo(top + rowHeight - height);
    },
    inView: (pixels) => {
      const { position, height } = at.current;
      // A row taller than the view counts as visible when it fills the view.
      const part = pixels ?? Math.min(rowHeight, height);
      const end = Math.floor((position + height - part) / rowHeight) + 1;
      return {
        top: position / rowHeight,
        start: Math.ceil((position + part) / rowHeight) - 1,
        end: Math.min(count, end),
      };
    },
  };
}

function moveTo(at: { position: number; scrollTop: number }, scrollTop: number, position: number) {
  at.scrollTop = scrollTop;
  // Whole pixels from the scrollbar, or the text would be blurred.
  at.position = scrollTop + Math.round(position - scrollTop);
}

/** The height of the area in which rows are visible: below the sticky header. */
const heightOf = (scroller: HTMLElement, body: HTMLElement | null) =>
  scroller.clientHeight ? scroller.clientHeight - (body?.offsetTop ?? 0) : window.innerHeight;

export interface RowWindow {
  start: number;
  end: number;
}

/** How many rows are rendered outside the view, so that scrolling shows no gap. */
export const overscan = 6;
/** The window moves in steps, so that most scroll events render nothing. */
const step = 4;

export function rowWindowAt(
  position: number,
  height: number,
  rowHeight: number,
  count: number,
  around = overscan,
): RowWindow {
  const first = Math.floor(position / rowHeight) - around;
  const last = Math.ceil((position + height) / rowHeight) + around;
  const start = Math.max(0, Math.floor(first / step) * step);
  const end = Math.min(count, Math.ceil(last / step) * step);
  return { start: Math.min(start, end), end };
}
