import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Column } from './columns';
import { DataTable } from './DataTable';

interface Row {
  id: string;
}

const columns: Column<Row>[] = [
  { key: 'id', header: 'Id', width: '1fr', cell: (row) => row.id, card: { area: 'id' } },
];
const idOf = (row: Row) => row.id;
const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `r${from + index}` }));

function tableOf(rows: Row[]) {
  const list = { rows, failure: undefined, isLoading: false, reload: vi.fn() };
  return (
    <DataTable
      label="Things"
      noun="thing"
      empty={<p>Nothing.</p>}
      cards={[]}
      {...{ columns, list, idOf }}
    />
  );
}

/** Where a row stands on the screen, as the transform and the scrolling put it. */
function placeOf(id: string) {
  const row = screen.getByText(id).closest<HTMLElement>('[role="row"]');
  const offset = Number(/translateY\((\d+)px\)/.exec(row?.style.transform ?? '')?.[1]);
  return offset - screen.getByRole('table').scrollTop;
}

function scrollTo(top: number) {
  const table = screen.getByRole('table');
  table.scrollTop = top;
  fireEvent.scroll(table);
}

const pill = () => screen.queryByRole('button', { name: /above$/ });

test('new rows on top leave the rows in view where they are', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  scrollTo(500 * 40 + 13);
  const place = placeOf('r505');
  rerender(tableOf(rowsOf(-30, 1000)));
  expect(placeOf('r505')).toBe(place);
});

test('at the very top new rows wait above, behind a pill that leads to them', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  expect(pill()).toBeNull();
  rerender(tableOf(rowsOf(-3, 1000)));
  expect(placeOf('r0')).toBe(0);
  expect(pill()?.textContent).toBe('3 new things above');
  rerender(tableOf(rowsOf(-4, 1000)));
  expect(pill()?.textContent).toBe('4 new things above');
  const table = screen.getByRole('table');
  fireEvent.click(pill() as HTMLElement);
  fireEvent.scroll(table);
  expect(placeOf('r-4')).toBe(0);
  expect(pill()).toBeNull();
  expect(document.activeElement).toBe(table);
});

test('scrolling to the top by hand also puts the pill away', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  rerender(tableOf(rowsOf(-1, 1000)));
  expect(pill()?.textContent).toBe('1 new thing above');
  scrollTo(0);
  expect(pill()).toBeNull();
});

test('a list too short to scroll gets room below, so that it can be held as well', () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(5 * 40);
  const { rerender } = render(tableOf(rowsOf(0, 3)));
  const table = screen.getByRole('table');
  rerender(tableOf(rowsOf(-2, 3)));
  expect(placeOf('r0')).toBe(0);
  expect(table.style.getPropertyValue('--room')).toBe(`${2 * 40 + 700 - 5 * 40}px`);
  scrollTo(0);
  expect(table.style.getPropertyValue('--room')).toBe(`${700 - 5 * 40}px`);
});

test('rows that leave above the view do not move it either', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  scrollTo(500 * 40);
  rerender(tableOf(rowsOf(20, 1000)));
  expect(placeOf('r505')).toBe(5 * 40);
  expect(pill()).toBeNull();
});

test('when the first row in view itself is gone the next one is held', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  scrollTo(500 * 40);
  rerender(tableOf([...rowsOf(-5, 500), ...rowsOf(501, 1000)]));
  expect(placeOf('r501')).toBe(40);
});

test('a change in one row moves nothing and shows no pill', () => {
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  scrollTo(100 * 40);
  rerender(tableOf(rowsOf(0, 1000)));
  expect(screen.getByRole('table').scrollTop).toBe(100 * 40);
  expect(pill()).toBeNull();
});

/** A window in which a notice takes height from the table above it. */
function withNotices() {
  const observers: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
      constructor(callback: () => void) {
        observers.push(callback);
      }
    },
  );
  let top = 100;
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(() => 800 - top);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => ({ top }) as DOMRect,
  );
  return {
    layOut: (next: number) => {
      top = next;
    },
    observe: () => {
      for (const resized of observers) resized();
    },
  };
}

afterEach(() => void vi.unstubAllGlobals());

test('a notice that comes and goes above moves no row, also where the browser itself scrolls at the end', () => {
  const { layOut, observe } = withNotices();
  render(tableOf(rowsOf(0, 1000)));
  const table = screen.getByRole('table');
  scrollTo(39_000);
  layOut(178);
  observe();
  expect(table.scrollTop).toBe(39_078);
  fireEvent.scroll(table);
  // The table grows by what the notice took: at the end of the list the browser scrolls back first.
  layOut(100);
  scrollTo(39_000);
  observe();
  expect(table.scrollTop).toBe(39_000);
});

test('new rows that come together with a notice are both reckoned', () => {
  const { layOut, observe } = withNotices();
  const { rerender } = render(tableOf(rowsOf(0, 1000)));
  const table = screen.getByRole('table');
  layOut(178);
  rerender(tableOf(rowsOf(-12, 1000)));
  fireEvent.scroll(table);
  observe();
  expect(table.scrollTop).toBe(12 * 40 + 78);
});
