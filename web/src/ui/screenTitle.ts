import { type RefObject, useEffect } from 'react';

let hasShownAScreen = false;

/** Sets the title of the browser tab. After a change of screen it also focuses the heading, if one is given. */
export function useScreenTitle(title: string, heading?: RefObject<HTMLElement | null>) {
  useEffect(() => {
    document.title = `${title} · Countinghouse`;
  }, [title]);

  useEffect(() => {
    // So that a screen reader announces the new screen; on page load the browser announces it anyway.
    if (hasShownAScreen) heading?.current?.focus();
    hasShownAScreen = true;
  }, [heading]);
}
