/*
 * A browser draws no element higher than some 33 million pixels, and a million rows are 40 million. Above a safe
 * height the scrollbar therefore stands for more pixels than it has: near both ends one pixel of it is one pixel
 * of rows, so that the first and the last row are reached exactly, and between them it is in proportion.
 */

/** Below 2^23 every whole pixel is exact in the browser's own arithmetic. */
export const tallest = 8_000_000;
/** How much at either end is not scaled. */
const exactEnd = 100_000;

export interface Scale {
  /** The height of all rows, were they all drawn. */
  whole: number;
  /** The height of the element that stands for them. */
  drawn: number;
  /** The height of the part in view. */
  inView: number;
}

export const scaleOf = (count: number, rowHeight: number, inView: number): Scale => {
  const whole = count * rowHeight;
  return { whole, drawn: Math.min(whole, tallest), inView };
};

export const isScaled = (scale: Scale) => scale.whole > scale.drawn;

const farthest = (height: number, inView: number) => Math.max(0, height - inView);

/** How far the scrollbar stands when the rows are scrolled by so many pixels. */
export function scrollTopAt(position: number, scale: Scale): number {
  const [last, lastDrawn] = endsOf(scale);
  return between(position, last, lastDrawn);
}

/** By how many pixels the rows are scrolled when the scrollbar stands there. */
export function positionAt(scrollTop: number, scale: Scale): number {
  const [last, lastDrawn] = endsOf(scale);
  return between(scrollTop, lastDrawn, last);
}

export const endsOf = (scale: Scale): [number, number] => [
  farthest(scale.whole, scale.inView),
  farthest(scale.drawn, scale.inView),
];

function between(value: number, last: number, otherLast: number): number {
  if (last === otherLast) return value;
  if (value <= exactEnd) return value;
  if (value >= last - exactEnd) return otherLast - (last - value);
  return exactEnd + ((value - exactEnd) * (otherLast - 2 * exactEnd)) / (last - 2 * exactEnd);
}

/** Wheel, keys and fingers move by less than this between two events; a drag of the scrollbar by more. */
const smallStep = 4_000;

/**
 * Where the rows are after the scrollbar moved. Small steps move them by the same number of pixels, so that
 * reading on feels as in any list; jumps go to their place in proportion.
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

/** Whether small steps have led the scrollbar so far off that it would reach an end before the rows do. */
export function isAstray(position: number, scrollTop: number, scale: Scale): boolean {
  const [last, lastDrawn] = endsOf(scale);
  const half = exactEnd / 2;
  if (scrollTop < half && position - scrollTop > 1) return true;
  return lastDrawn - scrollTop < half && last - position - (lastDrawn - scrollTop) > 1;
}
