import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

/**
 * Behaviour shared by all modal dialogs: they open when mounted, and Escape calls `onEscape` instead of closing
 * them. Spread `modal` on the `<dialog>`; `titleId` is the id of the element that names it.
 */
export function useModal(onEscape: () => void, placeFocus?: (dialog: HTMLDialogElement) => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const atOpening = useRef(placeFocus);
  const titleId = useId();

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog) atOpening.current?.(dialog);
    // Closing the dialog before it is removed returns the focus to where it was.
    return () => dialog?.close();
  }, []);

  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onEscape();
  };
  return { titleId, modal: { ref, 'aria-labelledby': titleId, onCancel } };
}
