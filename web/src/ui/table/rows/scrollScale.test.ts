import { expect, test } from 'vitest';
import {
  endsOf,
  isScaled,
  isScrollbarDrifting,
  positionAfter,
  positionAt,
  scaleOf,
  scrollTopAt,
} from './scrollScale';

const view = 700;
const million = scaleOf(1_000_000, 40, view);

test('up to the safe height, one pixel of scrolling is one pixel of rows', () => {
  const scale = scaleOf(100_000, 40, view);
  expect(isScaled(scale)).toBe(false);
  expect(positionAfter({ position: 0, scrollTop: 0 }, 123_456, scale)).toBe(123_456);
});

test('a million rows stay below the maximum element height of a browser', () => {
  expect(isScaled(million)).toBe(true);
  expect(million.drawn).toBeLessThan(33_554_428);
});

test('both ends are reached exactly', () => {
  const [last, lastDrawn] = endsOf(million);
  expect(positionAt(0, million)).toBe(0);
  expect(positionAt(lastDrawn, million)).toBe(last);
  expect(scrollTopAt(last, million)).toBe(lastDrawn);
});

test('converting a position to scrollTop and back gives the same position', () => {
  for (const position of [0, 1, 99_999, 100_001, 5_000_000, 20_000_000, 39_899_000, 39_999_299]) {
    expect(positionAt(scrollTopAt(position, million), million)).toBeCloseTo(position, 3);
  }
});

test('the middle of the scrollbar is the middle of the list', () => {
  const [last, lastDrawn] = endsOf(million);
  expect(positionAt(lastDrawn / 2, million)).toBeCloseTo(last / 2, 0);
});

test('a small step moves the rows by the same number of pixels, and a jump moves them proportionally', () => {
  const before = { position: 20_000_000, scrollTop: scrollTopAt(20_000_000, million) };
  expect(positionAfter(before, before.scrollTop + 120, million)).toBe(20_000_120);
  expect(positionAfter(before, before.scrollTop - 120, million)).toBe(19_999_880);
  const far = before.scrollTop + 1_000_000;
  expect(positionAfter(before, far, million)).toBe(positionAt(far, million));
});

test('many small steps are corrected before the scrollbar reaches an end', () => {
  let at = { position: 20_000_000, scrollTop: scrollTopAt(20_000_000, million) };
  let hasBeenAstray = false;
  while (at.scrollTop > 3_000) {
    const scrollTop = at.scrollTop - 3_000;
    const position = positionAfter(at, scrollTop, million);
    hasBeenAstray = isScrollbarDrifting(position, scrollTop, million);
    if (hasBeenAstray) break;
    at = { position, scrollTop };
  }
  expect(hasBeenAstray).toBe(true);
  expect(at.position).toBeGreaterThan(0);
});

test('near the ends no correction is needed', () => {
  expect(isScrollbarDrifting(40, 40, million)).toBe(false);
  const [last, lastDrawn] = endsOf(million);
  expect(isScrollbarDrifting(last - 40, lastDrawn - 40, million)).toBe(false);
});
