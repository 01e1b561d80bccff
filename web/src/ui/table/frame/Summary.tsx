import { Button } from '../../Button';
import { classes } from '../../classes';
import { countOf, formatCount, formatRupees } from '../../text/rupees';
import styles from './Summary.module.css';

export interface Count {
  count: number;
  /** If false, there are more than `count`. */
  isExact: boolean;
}

export interface Matches {
  counted: Count | undefined;
  /** Null if it is unknown, undefined if the list has no sum. */
  sum?: number | null | undefined;
  isCounting: boolean;
  onCountAll: () => void;
}

interface SummaryProps extends Matches {
  noun: string;
  /** How much of the matches is still to be done; hidden on a narrow screen. */
  waiting?: string;
  isOutdated: boolean;
  hasFailed: boolean;
  onRetry: () => void;
}

/** Rounds an inexact count down, e.g. 14,808 to 10,000: with all its digits it would look exact. */
export function plainCount({ count, isExact }: Count): number {
  const step = isExact ? 1 : 10 ** (String(count).length - 1);
  return count - (count % step);
}

export const matchesOf = (found: Count, noun: string) =>
  found.isExact
    ? countOf(found.count, noun)
    : `more than ${formatCount(plainCount(found))} ${noun}s`;

export function Summary(props: SummaryProps) {
  const { noun, counted, sum, waiting, isOutdated, isCounting } = props;
  if (!counted) {
    return (
      // Empty until it is counted, with its final height: the rows must not move when the summary arrives.
      <span className={styles.summary}>
        {props.hasFailed && (
          <>
            {`The ${noun}s could not be counted. `}
            <Button look="link" onClick={props.onRetry}>
              Count again
            </Button>
          </>
        )}
      </span>
    );
  }
  const found = matchesOf(counted, noun);
  return (
    <span className={classes(styles.summary, isOutdated && styles.outdated)}>
      {typeof sum === 'number' ? `${found} · ${formatRupees(sum)}` : found}
      {!counted.isExact && (
        // Not disabled while counting: a disabled button would lose the focus.
        <Button
          look="link"
          aria-busy={isCounting}
          onClick={isCounting ? undefined : props.onCountAll}
        >
          {isCounting ? 'Counting…' : 'Count all'}
        </Button>
      )}
      {waiting && <span className={styles.waiting}>{waiting}</span>}
    </span>
  );
}
