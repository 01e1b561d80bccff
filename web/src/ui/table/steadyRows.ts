import { type RefObject, useEffect } from 'react';

/*
 * A row that moves under the pointer is how the wrong claim gets accepted or paid. What appears or goes above
 * a table that scrolls inside would move its rows, and is answered by scrolling them back to where they were.
 * (Rows that come above the first one wait behind a pill: see NewAbove.) A table that grows with the page is
 * not held.
 */

type Scroller = RefObject<HTMLElement | null>;

/** Holds the rows when a notice appears or goes above the table. */
export function useSteadyRows(scroller: Scroller, isHeld: boolean) {
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isHeld) return;
    let { top } = element.getBoundingClientRect();
    let width = window.innerWidth;
    let { clientHeight } = element;
    // Not simply asked for: at the end of the list the browser also scrolls by itself when the table grows,
    // and that would count twice.
    let heldAt = element.scrollTop;
    const follow = () => {
      if (element.clientHeight !== clientHeight) return;
      heldAt = element.scrollTop;
      if (element.style.getPropertyValue('--room')) leaveRoom(element, heldAt);
    };
    // In a short window the page scrolls too: that is the admin's own doing.
    const followPage = ({ target }: Event) => {
      if (target !== element) ({ top } = element.getBoundingClientRect());
    };
    // Runs after layout and before paint, so nothing is seen to jump.
    const resized = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      if (width === window.innerWidth) scrollRowsTo(element, heldAt + now - top);
      top = now;
      width = window.innerWidth;
      clientHeight = element.clientHeight;
      heldAt = element.scrollTop;
    });
    // A table that is as low as it may be does not get lower when a notice comes, but what it stands in gets higher.
    for (let box: Element | null = element; box; box = box.parentElement) resized.observe(box);
    element.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('scroll', followPage, { capture: true, passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', follow);
      window.removeEventListener('scroll', followPage, { capture: true });
    };
  }, [scroller, isHeld]);
}

function scrollRowsTo(scroller: HTMLElement, scrollTop: number) {
  leaveRoom(scroller, Math.max(0, scrollTop));
  scroller.scrollTop = scrollTop;
}

/** Room below the last row, without which a short list could not be scrolled that far. */
function leaveRoom(scroller: HTMLElement, scrollTop: number) {
  const body = scroller.lastElementChild as HTMLElement | null;
  const end = body ? body.offsetTop + body.offsetHeight : 0;
  const room = Math.max(0, scrollTop + scroller.clientHeight - end);
  if (room > 0) scroller.style.setProperty('--room', `${room}px`);
  else scroller.style.removeProperty('--room');
}
