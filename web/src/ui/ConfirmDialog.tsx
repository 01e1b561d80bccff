import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';
import { useModal } from './modal';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  confirmLook: 'filled' | 'danger';
  onConfirm: () => void;
  onCancel: () => void;
}

/** Confirm stays disabled this long: on a phone it appears where the second tap of a double tap lands. */
const deafMilliseconds = 500;

/** Confirms an action that cannot be undone. Cancel has the initial focus, so that a hasty Enter does nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, confirmLook, onConfirm, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const [isDeaf, setIsDeaf] = useState(true);
  const { modal, titleId } = useModal(onCancel, () => cancel.current?.focus());
  const bodyId = useId();

  useEffect(() => {
    const timer = setTimeout(() => setIsDeaf(false), deafMilliseconds);
    return () => clearTimeout(timer);
  }, []);

  return (
    <dialog {...modal} role="alertdialog" aria-describedby={bodyId} className={styles.dialog}>
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
