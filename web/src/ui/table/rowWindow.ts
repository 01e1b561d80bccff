export interface RowWindow {
  start: number;
  end: number;
}

/** Rows beyond the view that are drawn, so that a scroll finds them. */
export const overscan = 6;
/** Moving in steps keeps most scroll events from rendering anything. */
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
