import { useQuery } from '@tanstack/react-query';
import type { ViewControl } from '../../../ui/table/filters/useView';
import { countOf, formatCount, formatRupees } from '../../../ui/text/rupees';
import { type Queue, queueOf, queues, queuesOptions, today, withQueue } from './claimQueues';
import styles from './QueueViews.module.css';

/** In lakh and crore, where there is no space for the full amount. */
const short = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  notation: 'compact',
  maximumSignificantDigits: 3,
});

interface QueueViewsProps {
  control: ViewControl;
  /** The rows have been shown: they come first. */
  isDue: boolean;
}

/** The queues: how many claims, their sum, and how long the oldest has waited. */
export function QueueViews({ control, isDue }: QueueViewsProps) {
  const day = today();
  const { data } = useQuery({ ...queuesOptions(day), enabled: isDue });
  const { filters } = control.view;
  const chosen = queueOf(filters, day);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a grid
    <div role="group" aria-label="Queues" className={styles.queues}>
      {queues.map(({ queue: name, status }) => {
        const queue = data?.find((one) => one.queue === name);
        const since = name === 'Paid today' ? day : '';
        return (
          <button
            key={name}
            type="button"
            aria-pressed={chosen === name}
            className={styles.queue}
            onClick={() => control.change(withQueue(filters, status, since))}
          >
            <span className={styles.name}>
              {name}
              {queue && <b className={styles.count}>{` ${formatCount(queue.count)} `}</b>}
            </span>
            {/* Has its final height from the start, so that the rows do not move when the sum arrives. */}
            <span className={styles.more}>{queue && <Sum queue={queue} />}</span>
          </button>
        );
      })}
    </div>
  );
}

function Sum({ queue }: { queue: Queue }) {
  const { amount, oldestAt, status } = queue;
  return (
    <>
      <span className={styles.long}>{formatRupees(amount)}</span>
      <span className={styles.short}>{short.format(amount)}</span>
      {oldestAt && status !== 'Paid' && (
        <span className={styles.age}>
          <span className={styles.oldest}>oldest</span>
          {` ${ageOf(oldestAt)}`}
        </span>
      )}
    </>
  );
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The age in the largest whole unit: "5 min", "3 h", "12 days". */
export function ageOf(iso: string, now: number = Date.now()): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return countOf(Math.floor(age / day), 'day');
}
