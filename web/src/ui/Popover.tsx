import { type ReactNode, Suspense, useCallback, useId, useRef, useState } from 'react';
import { Button } from './Button';
import { PopoverPanel } from './parts';

interface PopoverProps {
  /** Names both the button and the panel. Text that the trigger shows must be part of it. */
  label: string;
  trigger: ReactNode;
  align?: 'start' | 'end';
  /** Of the button. */
  className?: string | undefined;
  look?: 'quiet' | 'icon';
  children: (close: () => void) => ReactNode;
}

/** A button and the panel that it opens beside itself; on a phone a sheet at the bottom. */
export function Popover(props: PopoverProps) {
  const { label, trigger, align = 'start', className, look = 'quiet', children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  const close = useCallback(() => {
    // Before the panel goes: what is removed with the focus on it drops the focus on the page.
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
        // On a narrow screen the icon stands alone.
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {trigger}
      </Button>
      {isOpen && (
        <Suspense>
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
        </Suspense>
      )}
    </>
  );
}
