/*
 * Browsers limit an element's height to about 33 million pixels, and a million rows need 40 million. Above a safe
 * height the scroll position is therefore scaled: near both ends one pixel of scrolling is one pixel of rows, so that
 * the first and the last row are reached exactly, and in between it is proportional.
 */

/** Below 2^23 every whole pixel is exact in the browser's arithmetic. */
const maxDrawnHeight = 8_000_000;
/** The height at each end that is not scaled. */
const exactEnd = 100_000;

export interface Scale {
  /** The height of all rows if they were all rendered. */
  whole: number;
  /** The height of the element that represents them. */
  drawn: number;
  inView: number;
}

export const scaleOf = (count: number, rowHeight: number, inView: number): Scale => {
  const whole = count * rowHeight;
  return { whole, drawn: Math.min(whole, maxDrawnHeight), inView };
};

export const isScaled = (scale: Scale) => scale.whole > scale.drawn;

/** The last position and the last `scrollTop`. */
export const endsOf = ({ whole, drawn, inView }: Scale): [number, number] => [
  Math.max(0, whole - inView),
  Math.max(0, drawn - inView),
];

/** The `scrollTop` for a position in the rows, in pixels. */
export function scrollTopAt(position: number, scale: Scale): number {
  const [last, lastDrawn] = endsOf(scale);
  return between(position, last, lastDrawn);
}

/** The position in the rows, in pixels, for a `scrollTop`. */
export function positionAt(scrollTop: number, scale: Scale): number {
  const [last, lastDrawn] = endsOf(scale);
  return between(scrollTop, lastDrawn, last);
}

function between(value: number, last: number, otherLast: number): number {
  if (last === otherLast || value <= exactEnd) return value;
  if (value >= last - exactEnd) return otherLast - (last - value);
  return exactEnd + ((value - exactEnd) * (otherLast - 2 * exactEnd)) / (last - 2 * exactEnd);
}

/** Wheel, keys and touch move by less than this between two events; dragging the scrollbar moves by more. */
const smallStep = 4_000;

/**
 * The position of the rows after the scrollbar moved. Small steps move the rows by the same number of pixels, as in any
 * other list; jumps move them proportionally.
 */
export function positionAfter(
  before: { position: number; scrollTop: number },
  scrollTop: number,
  scale: Scale,
): number {
  if (!isScaled(scale)) return scrollTop;
  const step = scrollTop - before.scrollTop;
  if (Math.abs(step) > smallStep) return positionAt(scrollTop, scale);
  return Math.max(0, before.position + step);
}

/** Whether small steps have shifted the scrollbar so far that it would reach an end before the rows do. */
export function isScrollbarDrifting(position: number, scrollTop: number, scale: Scale): boolean {
  const [last, lastDrawn] = endsOf(scale);
  const half = exactEnd / 2;
  if (scrollTop < half && position - scrollTop > 1) return true;
  return lastDrawn - scrollTop < half && last - position - (lastDrawn - scrollTop) > 1;
}
