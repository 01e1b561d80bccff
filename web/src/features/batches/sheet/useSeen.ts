import { type RefObject, useEffect, useState } from 'react';
import type { BatchClaim } from './references';
import { warningKey } from './warnings';

/** Finds the claims with a warning that has not been in view yet, each sentence whole: in the table or in the list. */
export function useSeen(scroller: RefObject<HTMLElement | null>) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const root = scroller.current;
    if (!root || typeof IntersectionObserver === 'undefined') return;
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      const keys = entries
        .filter(({ isIntersecting }) => isIntersecting)
        .map(({ target }) => (target as HTMLElement).dataset.warning ?? '');
      setSeen((now) => (keys.every((key) => now.has(key)) ? now : new Set([...now, ...keys])));
    };
    let observer: IntersectionObserver | undefined;
    const observeAll = () => {
      for (const one of root.querySelectorAll('[data-warning]')) observer?.observe(one);
    };
    const start = () => {
      observer?.disconnect();
      // On a phone the buttons are above the rows, and what is behind them has not been read.
      const buttons = root.closest('dialog')?.lastElementChild?.getBoundingClientRect();
      const covered = buttons ? Math.max(0, window.innerHeight - buttons.top) : 0;
      // In the window, because in a low one the dialog itself is cut off too.
      observer = new IntersectionObserver(see, {
        threshold: 0.95,
        rootMargin: `0px 0px -${covered}px`,
      });
      observeAll();
    };
    // Rows come and go: more of a long table, the list of warnings, a filter.
    const changes = new MutationObserver(observeAll);
    changes.observe(root, { childList: true, subtree: true });
    window.addEventListener('resize', start);
    start();
    return () => {
      window.removeEventListener('resize', start);
      changes.disconnect();
      observer?.disconnect();
    };
  }, [scroller]);
  const isSeen = (claim: BatchClaim) =>
    claim.warnings.every(({ code }) => seen.has(warningKey(claim, code)));
  return (claims: readonly BatchClaim[]) => claims.filter((claim) => !isSeen(claim));
}
