import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';
import { classes } from './classes';
import { useModal } from './modal';

interface FormDialogProps {
  title: string;
  /** The text above the fields. */
  children: ReactNode;
  fields: ReactNode;
  confirmLabel: string;
  /** Confirms an action that cannot be undone: a hasty Enter or a double tap does nothing. */
  isGrave?: boolean;
  /** A key that also confirms, if it is newly pressed and no text is being typed. */
  confirmKey?: string;
  /** For a dialog with a list to read first. */
  isWide?: boolean;
  /** The content arrives in parts: the dialog grows upwards, and its buttons do not move. */
  isSteady?: boolean;
  isBusy: boolean;
  /** The action is no longer possible: the admin can only read why and close the dialog. */
  isOver?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** How long the second tap of a double tap, and a bouncing key, are ignored. */
const deafMilliseconds = 500;
const deafKeyMilliseconds = 250;

/** A dialog with fields. The element marked `data-first` gets the initial focus, otherwise Cancel. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, fields, confirmLabel, confirmKey } = props;
  const { isGrave = false, isOver = false, isBusy } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const openedAt = useRef(0);
  const [isDeaf, setIsDeaf] = useState(isGrave);
  const bodyId = useId();

  useEffect(() => {
    const timer = setTimeout(() => setIsDeaf(false), deafMilliseconds);
    return () => clearTimeout(timer);
  }, []);

  const confirm = () => {
    if (!isBusy && !isOver) props.onConfirm();
  };
  const cancelIt = () => {
    // A request that has been sent cannot be cancelled.
    if (!isBusy) props.onCancel();
  };

  const { modal, titleId } = useModal(cancelIt, (dialog) => {
    openedAt.current = performance.now();
    (dialog.querySelector<HTMLElement>('[data-first]') ?? cancel.current)?.focus();
  });

  useEffect(() => {
    if (!isOver) return;
    const { current: dialog } = modal.ref;
    const now = document.activeElement;
    // Do not focus Close: an Enter meant for the other button would close the message unread.
    if (!dialog?.contains(now) || now?.matches(':disabled')) dialog?.focus();
  }, [isOver, modal.ref]);

  const press = (event: KeyboardEvent) => {
    // A key that is held down must not confirm.
    const isDeafToKeys = isGrave && performance.now() - openedAt.current < deafKeyMilliseconds;
    if (event.repeat || isDeafToKeys) {
      if (event.key === 'Enter' && event.repeat) event.preventDefault();
      return;
    }
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    const isSent =
      event.key === 'Enter' &&
      (event.ctrlKey || event.metaKey || (isTyping && !event.shiftKey && isPlain));
    if (isSent || (event.key === confirmKey && isPlain && !isTyping)) {
      event.preventDefault();
      confirm();
    }
  };

  return (
    <dialog
      {...modal}
      role={isGrave ? 'alertdialog' : undefined}
      tabIndex={-1}
      aria-describedby={bodyId}
      className={classes(
        styles.dialog,
        props.isWide && styles.wide,
        props.isSteady && styles.steady,
      )}
      onKeyDown={press}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div id={bodyId} className={styles.body}>
        {children}
      </div>
      {fields}
      <div className={styles.buttons}>
        <Button ref={cancel} onClick={cancelIt}>
          {isOver ? 'Close' : 'Cancel'}
        </Button>
        {/* Stays in place when disabled: a late click must not hit something else. */}
        <Button look="filled" disabled={isDeaf || isOver} aria-busy={isBusy} onClick={confirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
