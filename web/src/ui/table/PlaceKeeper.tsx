import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { keptPlace, type Place } from './keptPlace';

interface PlaceKeeperProps {
  scroller: RefObject<HTMLElement | null>;
  placeNow: () => Place;
  /** Another one is another step of the history, which may show the same rows. */
  view: unknown;
}

/** Longer than the pause between two steps of a wheel; Safari takes no more than a hundred in half a minute. */
const restMilliseconds = 300;

/** Keeps where the table stands, and gives the focus back to the row that had it when the table was left. */
export default function PlaceKeeper({ scroller, placeNow, view }: PlaceKeeperProps) {
  const latest = useRef(placeNow);
  latest.current = placeNow;
  const left = useRef(keptPlace().id);

  // After each drawing: the row may still be on its way.
  useLayoutEffect(() => {
    // Who comes back may have turned to something else by now.
    if (!left.current || !document.activeElement?.matches('body, h1')) return;
    const selector = `[data-row-id="${CSS.escape(left.current)}"]`;
    const row = scroller.current?.querySelector<HTMLElement>(selector);
    if (!row) return;
    row.focus({ preventScroll: true });
    // After a click browsers draw no ring around it, and the next key may act on it.
    row.setAttribute('aria-current', 'true');
    row.addEventListener('blur', () => row.removeAttribute('aria-current'), { once: true });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step of the history has its own place
  useEffect(() => {
    const element = scroller.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      timer = undefined;
      // What else is said there stays, e.g. that it is the step of an opened panel.
      history.replaceState({ ...history.state, ...latest.current() }, '');
    };
    const keepLater = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, restMilliseconds);
    };
    const turnTo = () => {
      left.current = undefined;
      keepLater();
    };
    // These may lead away before the table has come to rest.
    const press = (event: Event) => {
      if (!timer || (event instanceof KeyboardEvent && event.key !== 'Enter')) return;
      clearTimeout(timer);
      keep();
    };
    keepLater();
    element?.addEventListener('scroll', keepLater, { passive: true });
    element?.addEventListener('focusin', turnTo);
    window.addEventListener('pointerdown', press, true);
    window.addEventListener('keydown', press, true);
    return () => {
      clearTimeout(timer);
      element?.removeEventListener('scroll', keepLater);
      element?.removeEventListener('focusin', turnTo);
      window.removeEventListener('pointerdown', press, true);
      window.removeEventListener('keydown', press, true);
    };
  }, [scroller, view]);

  return null;
}
