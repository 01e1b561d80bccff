import type { RefObject } from 'react';
import { Button } from '../Button';
import { countOf } from '../rupees';
import styles from './DataTable.module.css';

interface NewAboveProps {
  count: number;
  noun: string;
  scroller: RefObject<HTMLElement | null>;
}

/** New rows wait above those in view; this leads to them. */
export function NewAbove({ count, noun, scroller }: NewAboveProps) {
  const show = () => {
    scroller.current?.scrollTo({ top: 0 });
    // The pill goes once the top is in view, and would take the focus with it.
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
