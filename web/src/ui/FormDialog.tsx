import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';
import { classes } from './classes';
import { useModal } from './modal';

interface FormDialogProps {
  title: string;
  /** What it is about. */
  children: ReactNode;
  fields: ReactNode;
  confirmLabel: string;
  /** Asks before something that cannot be undone: a hasty Enter or a double tap does nothing. */
  isGrave?: boolean;
  /** A letter that confirms too, pressed anew and not while something is typed. */
  confirmKey?: string;
  /** For a list to be read before. */
  isWide?: boolean;
  /** What it says comes bit by bit: it grows upwards, and its buttons stay where they are. */
  isSteady?: boolean;
  isBusy: boolean;
  /** It can no longer be done: what is left to do is to read why, and to close it. */
  isOver?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The second tap of a double tap, and a key that bounces, must find nothing to press. */
const deafMilliseconds = 500;
const deafKeyMilliseconds = 250;

/** A question with something to fill in. The element marked `data-first` gets the first focus, else Cancel. */
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
    // What is on its way cannot be taken back.
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
    // Not on to Close: an Enter that was meant for the other button would close what is to be read.
    if (!dialog?.contains(now) || now?.matches(':disabled')) dialog?.focus();
  }, [isOver, modal.ref]);

  const press = (event: KeyboardEvent) => {
    // A key that is held down confirms nothing.
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
        {/* It stays in its place: a press that comes too late must meet nothing else. */}
        <Button look="filled" disabled={isDeaf || isOver} aria-busy={isBusy} onClick={confirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
