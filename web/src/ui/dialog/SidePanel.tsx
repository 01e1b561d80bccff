import type { KeyboardEvent, ReactNode } from 'react';
import { CloseButton } from '../Button';
import styles from './Dialog.module.css';
import { onBackdrop, useBackCloses, useModal } from './modal';

interface SidePanelProps {
  /** The accessible name of the panel; it may contain a link. */
  title: ReactNode;
  tools?: ReactNode;
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A modal sheet at the right edge; on a phone it covers the whole screen. */
export function SidePanel({ title, tools, onKeyDown, onClose, children }: SidePanelProps) {
  // Focus the panel itself: otherwise Enter would press its first button.
  const { modal, titleId } = useModal(onClose, (dialog) => dialog.focus());

  useBackCloses();

  return (
    <dialog
      {...modal}
      tabIndex={-1}
      className={styles.panel}
      onKeyDown={onKeyDown}
      onClick={onBackdrop(onClose)}
    >
      <div>
        <div className={styles.top}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {tools}
          <CloseButton onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
