import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { Button, CloseButton } from '../Button';
import { NextIcon, PreviousIcon } from '../icons/icons';
import { takesText } from '../page/quietKeys';
import styles from './Dialog.module.css';
import { onBackdrop, useBackCloses, useModal } from './modal';

interface SidePanelProps {
  /** The accessible name of the panel; it may contain a link. */
  title: ReactNode;
  /** What the URL calls the row that it shows, while the panel is open. */
  address?: string | undefined;
  /** For a row of a list: shows another one, so many rows further down. */
  step?: { noun: string; onStep: (rows: number) => void } | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A modal sheet at the right edge; on a phone it covers the whole screen. */
export function SidePanel(props: SidePanelProps) {
  const { title, address, step, onKeyDown, onClose, children } = props;
  useBackCloses(address);
  // Focus the panel itself: otherwise Enter would press its first button.
  const { modal, titleId } = useModal(onClose, (dialog) => dialog.focus());

  // What had the focus may be gone, or disabled because another admin has moved the claim: no key would work then.
  useEffect(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused?.matches(':disabled')) modal.ref.current?.focus();
  });

  const press = (event: KeyboardEvent) => {
    // Pressed in a dialog above the panel.
    if ((event.target as Element).closest('dialog') !== event.currentTarget) return;
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (step && isPlain && (event.key === 'j' || event.key === 'k') && !takesText(event.target)) {
      event.preventDefault();
      step.onStep(event.key === 'j' ? 1 : -1);
    } else onKeyDown?.(event);
  };

  return (
    <dialog
      {...modal}
      data-panel
      tabIndex={-1}
      className={styles.panel}
      onKeyDown={press}
      onClick={onBackdrop(onClose)}
    >
      <div>
        <div className={styles.top}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {step && (
            <>
              <Button
                look="icon"
                aria-label={`Previous ${step.noun}`}
                onClick={() => step.onStep(-1)}
              >
                <PreviousIcon />
              </Button>
              <Button look="icon" aria-label={`Next ${step.noun}`} onClick={() => step.onStep(1)}>
                <NextIcon />
              </Button>
            </>
          )}
          <CloseButton onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
