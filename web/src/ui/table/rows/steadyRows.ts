import { type RefObject, useEffect } from 'react';

/*
 * If a row moves under the pointer, the wrong claim may get accepted or paid. An element that appears or disappears
 * above a table that scrolls inside would move its rows, so they are scrolled back to where they were.
 * New rows above the first one wait behind a button: see NewAbove. A table that grows with the page is not affected.
 */

/** Keeps the rows in place when a notice appears or disappears above the table. */
export function useSteadyRows(scroller: RefObject<HTMLElement | null>, isHeld: boolean) {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isHeld) return;
    let { top } = element.getBoundingClientRect();
    let width = window.innerWidth;
    let { clientHeight } = element;
    // Tracked here instead of read when needed: at the end of the list the browser also scrolls when the table grows,
    // and that would count twice.
    let heldAt = element.scrollTop;
    const follow = () => {
      if (element.clientHeight !== clientHeight) return;
      heldAt = element.scrollTop;
      if (element.style.getPropertyValue('--room')) leaveRoom(element, heldAt);
    };
    // In a short window the page scrolls too: that movement is intended.
    const followPage = ({ target }: Event) => {
      if (target !== element) ({ top } = element.getBoundingClientRect());
    };
    // Runs after layout and before paint, so that no jump is visible.
    const resized = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      if (width === window.innerWidth) {
        leaveRoom(element, Math.max(0, heldAt + now - top));
        element.scrollTop = heldAt + now - top;
      }
      top = now;
      width = window.innerWidth;
      clientHeight = element.clientHeight;
      heldAt = element.scrollTop;
    });
    // A table at its minimum height does not shrink when a notice appears, but its ancestors grow.
    for (let box: Element | null = element; box; box = box.parentElement) resized.observe(box);
    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('scroll', follow, { passive: true, signal });
    window.addEventListener('scroll', followPage, { capture: true, passive: true, signal });
    return () => {
      resized.disconnect();
      listeners.abort();
    };
  }, [scroller, isHeld]);
}

/** Adds space below the last row, without which a short list could not scroll that far. */
function leaveRoom(scroller: HTMLElement, scrollTop: number) {
  const body = scroller.lastElementChild as HTMLElement | null;
  const end = body ? body.offsetTop + body.offsetHeight : 0;
  const room = Math.max(0, scrollTop + scroller.clientHeight - end);
  if (room > 0) scroller.style.setProperty('--room', `${room}px`);
  else scroller.style.removeProperty('--room');
}
