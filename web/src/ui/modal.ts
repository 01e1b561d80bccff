import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';

/**
 * What every modal dialog does: it opens as soon as it is there, and Escape asks its owner instead of closing it.
 * `modal` is for the `<dialog>`, `titleId` for what names it.
 */
export function useModal(onEscape: () => void, placeFocus?: (dialog: HTMLDialogElement) => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const atOpening = useRef(placeFocus);
  const titleId = useId();

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog) atOpening.current?.(dialog);
    // Closing, before the dialog is removed, hands the focus back to where it was.
    return () => dialog?.close();
  }, []);

  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onEscape();
  };
  return { titleId, modal: { ref, 'aria-labelledby': titleId, onCancel } };
}
