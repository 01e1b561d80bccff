import { useLayoutEffect } from 'react';
import { isOnPanel } from './address';

/** Where a panel covers the whole screen, it looks like one: Back is expected to lead out of it. */
const coversAll = '(max-width: 640px)';

/*
 * While panels are open the browser stands on an entry of its own, with the same address, which Back leaves. Closed by
 * other means, they leave it too. `Link` puts another screen in its place: the way back from there meets no panel.
 */
let open = 0;
let isLeaving = false;

const enter = () => {
  if (open === 0 || isLeaving || isOnPanel()) return;
  window.history.pushState({ ...window.history.state, isPanel: true }, '');
};

/** At once, and not a moment later: that would call back where the admin has gone on to by then. */
const leave = () => {
  if (open > 0 || isLeaving || !isOnPanel()) return;
  isLeaving = true;
  const arrive = () => {
    isLeaving = false;
    // Of a panel that has followed in the meantime.
    enter();
  };
  window.addEventListener('popstate', arrive, { once: true });
  window.history.back();
};

/** Back does what Escape does: a dialog above the panel goes first, and then the panel is still there. */
const goBack = () => {
  if (isOnPanel()) return;
  const dialogs = document.querySelectorAll('dialog[open]');
  dialogs[dialogs.length - 1]?.dispatchEvent(new Event('cancel', { cancelable: true }));
  setTimeout(enter);
};

/** On a phone, Back closes the panel and not the screen behind it. */
export function useBackCloses() {
  useLayoutEffect(() => {
    if (!window.matchMedia(coversAll).matches) return;
    open += 1;
    enter();
    if (open === 1) window.addEventListener('popstate', goBack);
    return () => {
      open -= 1;
      if (open === 0) window.removeEventListener('popstate', goBack);
      leave();
    };
  }, []);
}
