import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button, CloseButton } from '../Button';
import { classes } from '../classes';
import { beginQuiet } from '../page/quietKeys';
import styles from './Popover.module.css';
import { useAnchor } from './popoverAnchor';

interface PopoverProps {
  /** The accessible name of the button and the panel. It must contain the text that the trigger shows. */
  label: string;
  trigger: ReactNode;
  children: (close: () => void, guard: Guard) => ReactNode;
}

/** What is in the panel may set it: if it returns false, the panel stays open, because something is unfinished. */
export type Guard = RefObject<(() => boolean) | null>;

/** A button and the panel that it opens; on a phone the panel is a sheet at the bottom. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const guard: Guard = useRef(null);

  const close = useCallback(() => {
    if (guard.current?.() === false) return;
    // Before the panel is removed: removing the focused element would lose the focus.
    button.current?.focus();
    setIsOpen(false);
  }, []);
  const leave = useCallback(() => {
    const mayLeave = guard.current?.() !== false;
    if (mayLeave) setIsOpen(false);
    return mayLeave;
  }, []);

  return (
    <>
      <Button
        ref={button}
        aria-label={label}
        // On a narrow screen only the icon is shown.
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        {trigger}
      </Button>
      {isOpen && (
        <PopoverPanel {...{ id, label, button }} onClose={close} onLeave={leave}>
          {children(close, guard)}
        </PopoverPanel>
      )}
    </>
  );
}

interface PanelProps {
  id: string;
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  /** The admin has moved on to another element, which keeps the focus. False if the panel stays open. */
  onLeave: () => boolean;
  children: ReactNode;
}

function PopoverPanel({ id, label, button, onClose, onLeave, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const layer = useAnchor<HTMLDivElement>(button, 'end');
  const isRefused = useRef(false);

  useEffect(() => {
    const element = panel.current;
    const first = element?.querySelector<HTMLElement>('button:not([data-sheet-close]), input, a');
    // Focusing a text field would open a phone's keyboard before the admin has read the panel.
    const isText = first?.matches('input:not([type=checkbox], [type=radio])');
    (isText ? element : (first ?? element))?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    let hasBegunInside = false;
    const isInside = ({ target }: Event) =>
      [panel, button].some(({ current }) => current?.contains(target as Node));
    const remember = (event: Event) => {
      hasBegunInside = isInside(event);
      isRefused.current = false;
    };
    // On click, not earlier: on a phone the tap that closes the sheet would otherwise reach the row below.
    const leave = (event: Event) => {
      // A press outside has moved the focus already. The same press must not count as a second attempt.
      if (!hasBegunInside && !isInside(event) && (isRefused.current || !onLeave())) {
        // The click was meant for what is below, but the panel still covers a part of it.
        event.preventDefault();
        event.stopPropagation();
      }
      hasBegunInside = false;
    };
    // On the document: if the focused button was removed when it was pressed, the focus is on the body.
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    };
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    document.addEventListener('keydown', closeOnEscape, options);
    document.addEventListener('pointerdown', remember, options);
    document.addEventListener('click', leave, options);
    return () => {
      listeners.abort();
      beginQuiet();
    };
  }, [button, onClose, onLeave]);

  return (
    // Manual: the browser's light dismiss would treat a tap beside the sheet as one inside it.
    <div ref={layer} popover="manual" className={styles.layer}>
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className={classes(styles.surface, styles.panel)}
        onBlur={(event) => {
          const next = event.relatedTarget;
          if (!next || next === button.current || event.currentTarget.contains(next)) return;
          isRefused.current = !onLeave();
        }}
      >
        <div className={styles.top}>
          <span aria-hidden="true">{label}</span>
          <CloseButton data-sheet-close="" onClick={onClose} />
        </div>
        {children}
      </div>
    </div>
  );
}
