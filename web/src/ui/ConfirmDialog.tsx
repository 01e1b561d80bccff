import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  confirmLook: 'filled' | 'danger';
  onConfirm: () => void;
  onCancel: () => void;
}

/** The second tap of a double tap must find nothing to press: on a phone it lands where this button appears. */
const deafMilliseconds = 500;

/** Asks before something that cannot be undone. Cancel has the first focus: a hasty Enter does nothing. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, confirmLook, onConfirm, onCancel } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [isDeaf, setIsDeaf] = useState(true);
  const titleId = useId();
  const bodyId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    cancel.current?.focus();
    // Closing, before the dialog is removed, hands the focus back to where it was.
    return () => element?.close();
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => setIsDeaf(false), deafMilliseconds);
    return () => clearTimeout(timer);
  }, []);

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={bodyId}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div id={bodyId} className={styles.body}>
        {children}
      </div>
      <div className={styles.buttons}>
        <Button ref={cancel} onClick={onCancel}>
          Cancel
        </Button>
        <Button look={confirmLook} disabled={isDeaf} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
