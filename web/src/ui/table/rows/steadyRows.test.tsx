import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ThingsTable, thingsOf } from '../../../testing/thingsTable';

function scrollTo(top: number) {
  const table = screen.getByRole('table');
  table.scrollTop = top;
  fireEvent.scroll(table);
}

/** A window in which a notice above the table takes part of its height. */
function withNotices(tableHeight?: number) {
  const observers: (() => void)[] = [];
  const observed = new Set<Element>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = (element: Element) => void observed.add(element);
      disconnect = () => undefined;
      constructor(callback: () => void) {
        observers.push(callback);
      }
    },
  );
  let top = 100;
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(
    () => (tableHeight ?? 800) - top,
  );
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
    () => ({ top }) as DOMRect,
  );
  return {
    observed,
    layOut: (next: number) => {
      top = next;
    },
    observe: () => {
      for (const resized of observers) resized();
    },
  };
}

afterEach(() => void vi.unstubAllGlobals());

test('a notice above the table does not move the rows, even if the browser scrolls at the end of the list', () => {
  const { layOut, observe } = withNotices();
  render(<ThingsTable rows={thingsOf(1000)} />);
  const table = screen.getByRole('table');
  scrollTo(39_000);
  layOut(178);
  observe();
  expect(table.scrollTop).toBe(39_078);
  fireEvent.scroll(table);
  // The table grows by the height of the notice: at the end of the list the browser scrolls back first.
  layOut(100);
  scrollTo(39_000);
  observe();
  expect(table.scrollTop).toBe(39_000);
});

test('a list too short to scroll gets space below its rows, so that they can stay in place too', () => {
  const { layOut, observe } = withNotices();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(5 * 40);
  render(<ThingsTable rows={thingsOf(5)} />);
  const table = screen.getByRole('table');
  layOut(178);
  observe();
  expect(table.scrollTop).toBe(78);
  expect(table.style.getPropertyValue('--room')).toBe(`${78 + 622 - 5 * 40}px`);
  scrollTo(0);
  expect(table.style.getPropertyValue('--room')).toBe(`${622 - 5 * 40}px`);
});

test('scrolling the page moves the rows with it', () => {
  const { layOut, observe } = withNotices();
  render(<ThingsTable rows={thingsOf(1000)} />);
  scrollTo(4_000);
  layOut(40);
  fireEvent.scroll(document.body);
  observe();
  expect(screen.getByRole('table').scrollTop).toBe(4_000);
  // A later notice is still compensated for.
  layOut(118);
  observe();
  expect(screen.getByRole('table').scrollTop).toBe(4_078);
});

test('the ancestors of a table are observed too: at its minimum height it does not shrink for a notice', () => {
  const { observed } = withNotices();
  const { container } = render(<ThingsTable rows={thingsOf(10)} />);
  expect(observed).toContain(screen.getByRole('table'));
  expect(observed).toContain(container);
});

test('a change in one row does not scroll the table', () => {
  const { rerender } = render(<ThingsTable rows={thingsOf(1000)} />);
  scrollTo(100 * 40);
  rerender(<ThingsTable rows={thingsOf(1000)} />);
  expect(screen.getByRole('table').scrollTop).toBe(100 * 40);
});
