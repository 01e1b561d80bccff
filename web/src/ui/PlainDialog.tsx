import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';
import { classes } from './classes';

interface PlainDialogProps {
  title: string;
  children: ReactNode;
  /** Stands beside the button that closes. */
  action?: ReactNode;
  closeLabel?: string;
  onClose: () => void;
}

/** Tells something that needs the whole attention, and asks nothing. */
export function PlainDialog(props: PlainDialogProps) {
  const { title, children, action, closeLabel = 'Close', onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    close.current?.focus();
    // Closing, before the dialog is removed, hands the focus back to where it was.
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes(styles.dialog, styles.wide)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
      <div className={styles.buttons}>
        <Button ref={close} onClick={onClose}>
          {closeLabel}
        </Button>
        {action}
      </div>
    </dialog>
  );
}
