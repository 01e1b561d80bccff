import { expect, test } from 'vitest';
import { rowWindowAt } from './virtualRows';

const height = 700;

test('at the top, the window starts with the first row', () => {
  expect(rowWindowAt(0, height, 40, 100_000).start).toBe(0);
});

test('the window covers everything in view, and not much more', () => {
  for (const scrollTop of [0, 39, 40, 12_345, 2_000_000]) {
    const { start, end } = rowWindowAt(scrollTop, height, 40, 100_000);
    expect(start * 40).toBeLessThanOrEqual(scrollTop);
    expect(end * 40).toBeGreaterThanOrEqual(scrollTop + height);
    expect(end - start).toBeLessThanOrEqual(40);
  }
});

test('at the end, the window stops with the last row', () => {
  expect(rowWindowAt(100_000 * 40 - height, height, 40, 100_000).end).toBe(100_000);
});

test('a scroll position past the end of a shortened list gives no nonexistent rows', () => {
  const { start, end } = rowWindowAt(4_000_000, height, 40, 3);
  expect(end).toBe(3);
  expect(start).toBeLessThanOrEqual(end);
});

test('an empty list has an empty window', () => {
  expect(rowWindowAt(0, height, 40, 0)).toEqual({ start: 0, end: 0 });
});

test('with an overscan of zero, no rows outside the view are rendered', () => {
  expect(rowWindowAt(0, 640, 160, 100, 0)).toEqual({ start: 0, end: 4 });
});
