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
