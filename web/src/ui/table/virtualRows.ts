import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keptPlace } from './keptPlace';
import { overscan, type RowWindow, rowWindowAt } from './rowWindow';
import { isAstray, isScaled, positionAfter, type Scale, scaleOf, scrollTopAt } from './scrollScale';

/**
 * What stands above and below the rows on most screens. The first rows are drawn for what is left of the window, and
 * measured then: if as many are needed, which they usually are, nothing is drawn twice before it is seen.
 */
const aroundTheRows = 300;

/** After this long without a scroll event nobody is scrolling, and the scrollbar may be put right. */
const restMilliseconds = 160;

interface InView extends RowWindow {
  /** The row at the top, with the part of it that is scrolled away. */
  top: number;
}

export interface VirtualRows extends RowWindow {
  /** By how much less than its own height a row is moved down: nothing, unless the list is scaled. */
  shift: number;
  /** Of the element that holds the rows. */
  height: number;
  scrollToRow: (index: number) => void;
  /** Places that are in view now, whole or with so many pixels, without those around them. */
  inView: (pixels?: number) => InView;
}

/** The rows in view (and a few around them) of a list of any length whose rows all have the same height. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  listKey: string,
): VirtualRows {
  // Around the first view nothing is drawn until it is painted.
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

  /** Puts the scrollbar where it belongs for the rows that are shown; the rows stay where they are. */
  const goTo = useCallback(
    (position: number) => {
      const element = scroller.current;
      if (!element) return;
      element.scrollTop = scrollTopAt(position, scaleNow());
      const { scrollTop } = element;
      // Whole pixels, or text would be drawn between two of them.
      const shift = isScaled(scaleNow()) ? Math.round(position - scrollTop) : 0;
      at.current = { ...at.current, position: scrollTop + shift, scrollTop };
      draw();
    },
    [scroller, scaleNow, draw],
  );

  // Before paint: a late window would show a gap, and another list starts at its top, or where it was left.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    at.current.height = heightOf(element, body.current);
    if (hasRows && before.current.listKey !== listKey) goTo(keptPlace().top * rowHeight);
    else if (before.current.rowHeight !== rowHeight) {
      // Rows became cards, or higher: keep the same row at the top.
      goTo((at.current.position / before.current.rowHeight) * rowHeight);
    } else {
      const { scrollTop } = element;
      at.current = { ...at.current, ...placeAfter(at.current, scrollTop, scaleNow()) };
      draw();
    }
    before.current = { rowHeight, listKey: hasRows ? listKey : undefined };
  }, [scroller, body, hasRows, rowHeight, listKey, goTo, draw, scaleNow]);

  const latestDraw = useRef(draw);
  latestDraw.current = draw;
  useEffect(() => {
    if (!hasRows || at.current.around > 0) return;
    // A timer set in the frame's callback fires after that frame is painted.
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
    const follow = () => {
      const { scrollTop } = element;
      at.current = { ...at.current, ...placeAfter(at.current, scrollTop, scaleNow()) };
      clearTimeout(timer);
      // Before this frame is painted: rows drawn a task later would leave it empty.
      if (!isScaled(scaleNow())) return flushSync(draw);
      const { position } = at.current;
      if (isAstray(position, scrollTop, scaleNow())) return goTo(position);
      timer = setTimeout(() => goTo(at.current.position), restMilliseconds);
      flushSync(draw);
    };
    // Measured only when it changes: asking at each scroll would force a layout.
    const measure = () => {
      at.current.height = heightOf(element, body.current);
      draw();
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      clearTimeout(timer);
      resized.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [scroller, body, scaleNow, draw, goTo]);

  const scrollToRow = useCallback(
    (index: number) => {
      const { position, height } = at.current;
      const top = index * rowHeight;
      if (top < position) goTo(top);
      else if (top + rowHeight > position + height) goTo(top + rowHeight - height);
    },
    [rowHeight, goTo],
  );

  const inView = useCallback(
    (pixels?: number) => {
      const { position, height } = at.current;
      // A row higher than the view is there when it fills it.
      const part = pixels ?? Math.min(rowHeight, height);
      const end = Math.floor((position + height - part) / rowHeight) + 1;
      return {
        top: position / rowHeight,
        start: Math.ceil((position + part) / rowHeight) - 1,
        end: Math.min(count, end),
      };
    },
    [count, rowHeight],
  );

  return {
    // The list may have become shorter since the window was computed.
    start: Math.min(drawn.start, count),
    end: Math.min(drawn.end, count),
    shift: drawn.shift,
    height: scaleOf(count, rowHeight, 0).drawn,
    scrollToRow,
    inView,
  };
}

function placeAfter(
  before: { position: number; scrollTop: number },
  scrollTop: number,
  scale: Scale,
) {
  const position = positionAfter(before, scrollTop, scale);
  return { position: scrollTop + Math.round(position - scrollTop), scrollTop };
}

/** Of the part where rows are seen: below the head, which stays. */
const heightOf = (scroller: HTMLElement, body: HTMLElement | null) =>
  scroller.clientHeight ? scroller.clientHeight - (body?.offsetTop ?? 0) : window.innerHeight;
