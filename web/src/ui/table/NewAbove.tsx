import type { RefObject } from 'react';
import { Button } from '../Button';
import { countOf } from '../rupees';
import { forgetPlace } from './keptPlace';
import styles from './NewAbove.module.css';

interface NewAboveProps {
  count: number;
  noun: string;
  scroller: RefObject<HTMLElement | null>;
  onShow: () => void;
}

/** New rows wait above the first one; this brings them in. */
export function NewAbove({ count, noun, scroller, onShow }: NewAboveProps) {
  const show = () => {
    // They are at the top: the list begins there, not where it stood.
    forgetPlace();
    onShow();
    // The pill goes, and would take the focus with it.
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
