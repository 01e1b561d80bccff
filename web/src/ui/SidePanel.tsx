import type { KeyboardEvent, ReactNode } from 'react';
import { Button } from './Button';
import { useBackCloses } from './backCloses';
import { CloseIcon } from './icons/CloseIcon';
import { useModal } from './modal';
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
  // The focus is on the panel itself: its first button would else be one Enter away.
  const { modal, titleId } = useModal(onClose, (dialog) => dialog.focus());

  useBackCloses();

  return (
    <dialog
      {...modal}
      tabIndex={-1}
      className={styles.panel}
      onKeyDown={onKeyDown}
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
