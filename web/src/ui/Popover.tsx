import { type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { Button } from './Button';
import { PopoverPanel } from './PopoverPanel';

interface PopoverProps {
  /** The accessible name of the button and the panel. It must contain the text that the trigger shows. */
  label: string;
  trigger: ReactNode;
  align?: 'start' | 'end';
  /** The class of the button. */
  className?: string | undefined;
  look?: 'quiet' | 'icon';
  children: (close: () => void) => ReactNode;
}

/** A button and the panel that it opens; on a phone the panel is a sheet at the bottom. */
export function Popover(props: PopoverProps) {
  const { label, trigger, align = 'start', className, look = 'quiet', children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  const close = useCallback(() => {
    // Before the panel is removed: removing the focused element would lose the focus.
    button.current?.focus();
    setIsOpen(false);
  }, []);
  const leave = useCallback(() => setIsOpen(false), []);

  return (
    <>
      <Button
        ref={button}
        look={look}
        className={className}
        aria-label={label}
        // On a narrow screen only the icon is shown.
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {trigger}
      </Button>
      {isOpen && (
        <PopoverPanel
          id={panelId}
          label={label}
          align={align}
          button={button}
          onClose={close}
          onLeave={leave}
        >
          {children(close)}
        </PopoverPanel>
      )}
    </>
  );
}
