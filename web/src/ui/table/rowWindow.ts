export interface RowWindow {
  start: number;
  end: number;
}

const overscan = 6;
/** Moving in steps keeps most scroll events from rendering anything. */
const step = 4;

export function rowWindowAt(
  position: number,
  height: number,
  rowHeight: number,
  count: number,
): RowWindow {
  const first = Math.floor(position / rowHeight) - overscan;
  const last = Math.ceil((position + height) / rowHeight) + overscan;
  const start = Math.max(0, Math.floor(first / step) * step);
  const end = Math.min(count, Math.ceil(last / step) * step);
  return { start: Math.min(start, end), end };
}
