import { type ReactNode, useEffect, useRef } from 'react';
import type { Schemas } from '../../../api/client';
import { classes } from '../../../ui/classes';
import { type ViewControl, withFilter } from '../../../ui/table/filters/useView';
import { formatRupees } from '../../../ui/text/rupees';
import { figuresFor, formatShort, statusItems } from './figures';
import styles from './StatusBar.module.css';

interface StatusBarProps {
  control: ViewControl;
  totals: Schemas['ClaimTotals'] | undefined;
  /** The totals still belong to the previous search or filter. */
  isOutdated: boolean;
}

/** The claims by status, with counts and sums that follow the search and the filters; and the figures of the desk. */
export function StatusBar({ control, totals, isOutdated }: StatusBarProps) {
  const { view, change } = control;
  const { status: chosen = '' } = view.filters;
  const bar = useRef<HTMLDivElement>(null);

  // On a phone the bar is wider than the screen.
  const isCounted = totals !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another status is chosen, and once it is counted
  useEffect(() => {
    const item = bar.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!bar.current || !item) return;
    const { left, right } = item.getBoundingClientRect();
    const { left: start, right: end } = bar.current.getBoundingClientRect();
    if (left < start) bar.current.scrollLeft += left - start - margin;
    if (right > end) bar.current.scrollLeft += right - end + margin;
  }, [chosen, isCounted]);

  return (
    <div ref={bar} className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a flex box */}
      <div
        role="group"
        aria-label="Status"
        className={classes(styles.group, isOutdated && styles.outdated)}
      >
        {statusItems(totals).map(({ status, count, amount }) => (
          <Item
            key={status}
            isPressed={status === chosen}
            onChoose={() => change(withFilter(view, 'status', status))}
            name={
              <>
                {status || 'All'}
                {count && <b className={styles.count}>{` ${count} `}</b>}
              </>
            }
            more={amount === null ? '' : formatShort(amount)}
            title={amount === null ? undefined : formatRupees(amount)}
          />
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="group" aria-label="Figures" className={classes(styles.group, styles.figures)}>
        {totals &&
          figuresFor(view, totals.figures).map(({ name, value, title, view: target, isShown }) => (
            <Item
              key={name}
              isPressed={isShown}
              // A second click leads back to all claims.
              onChoose={() => change(isShown ? { filters: {}, sort: '' } : target)}
              name={`${name} `}
              more={value}
              title={title}
            />
          ))}
      </div>
    </div>
  );
}

const margin = 16;

interface ItemProps {
  isPressed: boolean;
  onChoose: () => void;
  name: ReactNode;
  more: string;
  title: string | undefined;
}

/** Has its final height from the start, so that the rows do not move when the numbers arrive. */
function Item({ isPressed, onChoose, name, more, title }: ItemProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      title={title}
      className={styles.item}
      onClick={onChoose}
    >
      <span className={styles.name}>{name}</span>
      <span className={styles.more}>{more}</span>
    </button>
  );
}
