import { Button } from '../../Button';
import { classes } from '../../classes';
import styles from '../frame/DataTable.module.css';
import failed from './FailedRow.module.css';

interface FailedRowProps {
  index: number;
  height: number;
  top: number;
  noun: string;
  failure: string;
  onRetry: () => void;
}

/** Shown among rows that failed to load: the reason and a Retry button. */
export function FailedRow({ index, height, top, noun, failure, onRetry }: FailedRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes(styles.row, failed.failed)}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div role="cell" className={failed.failedCell}>
        <span className={styles.clip}>{`These ${noun}s could not be loaded. ${failure}`}</span>
        <Button size="row" onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}
