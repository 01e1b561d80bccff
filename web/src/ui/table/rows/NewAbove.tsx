import type { RefObject } from 'react';
import { Button } from '../../Button';
import { countOf } from '../../text/rupees';
import styles from './NewAbove.module.css';
import { clearSavedPlace } from './ScrollRestorer';

interface NewAboveProps {
  count: number;
  noun: string;
  scroller: RefObject<HTMLElement | null>;
  onShow: () => void;
}

/** A button that announces new rows above the first one, and shows them when clicked. */
export function NewAbove({ count, noun, scroller, onShow }: NewAboveProps) {
  const show = () => {
    // The new rows are at the top: scroll there, not to the stored position.
    clearSavedPlace();
    onShow();
    // The button disappears and would lose the focus.
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.newAbove} aria-live="polite">
      {count > 0 && (
        <Button size="row" className={styles.pill} onClick={show}>
          {`${countOf(count, `new ${noun}`)} above`}
        </Button>
      )}
    </div>
  );
}
