import { type RefObject, useEffect } from 'react';

/**
 * Keeps the rows where they are on the screen when a notice appears or goes above the table:
 * a row that moves under the pointer is how the wrong claim gets paid.
 */
export function useSteadyRows(scroller: RefObject<HTMLElement | null>, hasRows: boolean) {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !hasRows) return;
    let { top } = element.getBoundingClientRect();
    let width = window.innerWidth;
    // Runs after layout and before paint, so nothing is seen to jump.
    const resized = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      if (width === window.innerWidth) element.scrollTop += now - top;
      top = now;
      width = window.innerWidth;
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroller, hasRows]);
}
