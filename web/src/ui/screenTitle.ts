import { type RefObject, useEffect } from 'react';

let hasShownAScreen = false;

/** Names the browser tab; after a change of screen also puts the focus on the heading, if one is given. */
export function useScreenTitle(title: string, heading?: RefObject<HTMLElement | null>) {
  useEffect(() => {
    document.title = `${title} · Countinghouse`;
  }, [title]);

  useEffect(() => {
    // A screen reader should hear the new screen; on arrival the browser reads it anyway.
    if (hasShownAScreen) heading?.current?.focus();
    hasShownAScreen = true;
  }, [heading]);
}
