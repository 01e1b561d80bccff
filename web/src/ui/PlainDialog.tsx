import { type ReactNode, useRef } from 'react';
import { Button } from './Button';
import styles from './ConfirmDialog.module.css';
import { classes } from './classes';
import { useModal } from './modal';

interface PlainDialogProps {
  title: string;
  children: ReactNode;
  /** Shown beside the close button. */
  action?: ReactNode;
  closeLabel?: string;
  onClose: () => void;
}

/** Shows a message that needs full attention and asks for no decision. */
export function PlainDialog(props: PlainDialogProps) {
  const { title, children, action, closeLabel = 'Close', onClose } = props;
  const close = useRef<HTMLButtonElement>(null);
  const { modal, titleId } = useModal(onClose, () => close.current?.focus());

  return (
    <dialog {...modal} className={classes(styles.dialog, styles.wide)}>
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
