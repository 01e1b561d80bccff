import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button';
import { CloseIcon } from './icons/CloseIcon';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  /** Names the panel; it may hold a link. */
  title: ReactNode;
  /** Stands before the close button. */
  tools?: ReactNode;
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A sheet at the right edge, on a phone the whole screen. What is behind it waits. */
export function SidePanel({ title, tools, onKeyDown, onClose, children }: SidePanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // On the panel itself: its first button would else be one Enter away.
    element?.focus();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={styles.panel}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The backdrop is the dialog itself.
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.inside}>
        <div className={styles.top}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {tools}
          <Button look="icon" aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
