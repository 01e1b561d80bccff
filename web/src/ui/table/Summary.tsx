import { Button } from '../Button';
import { classes } from '../classes';
import { countOf, formatCount, formatRupees } from '../rupees';
import styles from './Summary.module.css';

export interface Count {
  count: number;
  /** If not, there are more than `count`. */
  isExact: boolean;
}

interface SummaryProps {
  noun: string;
  counted: Count | undefined;
  /** Null where it is not known, undefined where the list has none. */
  sum?: number | null | undefined;
  /** Of the matches, what is still to be done; a narrow screen has no room for it. */
  waiting?: string;
  isOutdated: boolean;
  isCounting: boolean;
  hasFailed: boolean;
  onCountAll: () => void;
  onRetry: () => void;
}

/** Where there are more, a plain number, e.g. 10,000 of 14,808: to the last digit it would look counted. */
export function plainCount({ count, isExact }: Count): number {
  const step = isExact ? 1 : 10 ** (String(count).length - 1);
  return count - (count % step);
}

export const matchesOf = (found: Count, noun: string) =>
  found.isExact
    ? countOf(found.count, noun)
    : `more than ${formatCount(plainCount(found))} ${noun}s`;

/** How many match, and how much money that is. */
export function Summary(props: SummaryProps) {
  const { noun, counted, sum, waiting, isOutdated, isCounting, hasFailed } = props;
  const { onCountAll, onRetry } = props;
  if (!counted) {
    return hasFailed ? (
      <span className={styles.summary}>
        {`The ${noun}s could not be counted. `}
        <Button look="link" onClick={onRetry}>
          Count again
        </Button>
      </span>
    ) : (
      // Of its later height: the rows must not move when it arrives.
      <span className={styles.summary} />
    );
  }
  const parts = [matchesOf(counted, noun)];
  if (typeof sum === 'number') parts.push(formatRupees(sum));
  return (
    <span className={classes(styles.summary, isOutdated && styles.outdated)}>
      {parts.join(' · ')}
      {!counted.isExact && (
        // Not disabled while it works: a disabled button would drop the focus.
        <Button look="link" aria-busy={isCounting} onClick={isCounting ? undefined : onCountAll}>
          {isCounting ? 'Counting…' : 'Count all'}
        </Button>
      )}
      {waiting && <span className={styles.waiting}>{waiting}</span>}
    </span>
  );
}
