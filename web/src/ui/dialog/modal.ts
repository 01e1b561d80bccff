import { type SyntheticEvent, useCallback, useId, useLayoutEffect, useRef } from 'react';
import { isOnPanel, rowInAddress, withoutRow } from '../page/address';
import { beginDialog, beginQuiet } from '../page/quietKeys';

/**
 * Behaviour shared by all modal dialogs: they open when mounted, and Escape calls `onEscape` instead of closing
 * them; so does Back on a phone. Spread `modal` on the `<dialog>`; `titleId` is the id of the element that names it.
 */
export function useModal(onEscape: () => void, placeFocus?: (dialog: HTMLDialogElement) => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const atOpening = useRef(placeFocus);
  const isMounted = useRef(false);
  const titleId = useId();

  const show = useCallback(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open) return;
    dialog.showModal();
    beginDialog(dialog.hasAttribute('data-asks'));
    atOpening.current?.(dialog);
  }, []);

  useLayoutEffect(() => {
    const dialog = ref.current;
    isMounted.current = true;
    show();
    return () => {
      isMounted.current = false;
      // Closing the dialog before it is removed returns the focus to where it was.
      dialog?.close();
      // Nothing is typed in a panel: its letters are shortcuts.
      if (!dialog?.hasAttribute('data-panel')) beginQuiet();
    };
  }, [show]);
  useHistoryEntry(false);

  const onCancel = (event: SyntheticEvent) => {
    // React, unlike the browser, also reports the event of a dialog inside this one.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onEscape();
  };
  // On a second Escape a browser closes the dialog without asking the page. A dialog that is still needed, e.g. because
  // it waits for the response to a payment, would go on unseen.
  const onClose = (event: SyntheticEvent) => {
    if (event.target === event.currentTarget && isMounted.current) show();
  };
  return { titleId, modal: { ref, 'aria-labelledby': titleId, onCancel, onClose } };
}

/** A click on the backdrop has the dialog itself as its target. */
export const onBackdrop = (close: () => void) => (event: SyntheticEvent) => {
  if (event.target === event.currentTarget) close();
};

/** On phones Back is expected to close what covers the screen, and nobody has an Escape key. */
const onPhones = '(max-width: 640px)';

/*
 * While panels are open, and on a phone other dialogs, the browser is on an extra history entry; Back leaves it.
 * Closing them in another way leaves it too. `Link` replaces it with the new screen, so that going back does not
 * reopen a panel. The URL of the entry names the row, if it has a number.
 */
let open = 0;
let isLeaving = false;
let shownNumber: string | undefined;

const enter = () => {
  if (open === 0 || isLeaving) return;
  const { history, location } = window;
  const path = withoutRow(location.pathname);
  const named = `${path}/${shownNumber}`;
  // An id of another form has no URL.
  const address = (withoutRow(named) === path ? named : path) + location.search;
  const state = { ...history.state, isPanel: true };
  if (isOnPanel()) {
    if (address !== location.pathname + location.search) history.replaceState(state, '', address);
    return;
  }
  // The entry below is the list, also if a link has opened the row.
  if (rowInAddress()) history.replaceState(history.state, '', path + location.search);
  history.pushState(state, '', address);
};

/** Must run immediately: later, it would go back from a screen to which the admin has navigated in the meantime. */
const leave = () => {
  if (open > 0 || isLeaving || !isOnPanel()) return;
  isLeaving = true;
  const arrive = () => {
    isLeaving = false;
    // For a panel that was opened in the meantime.
    enter();
  };
  window.addEventListener('popstate', arrive, { once: true });
  window.history.back();
};

/** Back does the same as Escape: it closes a dialog above the panel first, and the panel stays open. */
const goBack = () => {
  if (isOnPanel()) return;
  const dialogs = document.querySelectorAll('dialog[open]');
  dialogs[dialogs.length - 1]?.dispatchEvent(new Event('cancel', { cancelable: true }));
  setTimeout(enter);
};

/** Back closes a panel with an address, instead of leaving the screen behind it. To be called before `useModal`. */
export function useBackCloses(number: string | undefined) {
  useLayoutEffect(() => {
    shownNumber = number;
    enter();
    return () => {
      shownNumber = undefined;
    };
  }, [number]);
  useHistoryEntry(number !== undefined);
}

function useHistoryEntry(isAlways: boolean) {
  useLayoutEffect(() => {
    if (!isAlways && !window.matchMedia(onPhones).matches) return;
    open += 1;
    enter();
    if (open === 1) window.addEventListener('popstate', goBack);
    return () => {
      open -= 1;
      if (open === 0) window.removeEventListener('popstate', goBack);
      leave();
    };
  }, [isAlways]);
}
