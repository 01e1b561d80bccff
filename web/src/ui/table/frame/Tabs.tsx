import { classes } from '../../classes';
import { formatCount } from '../../text/rupees';
import { plainCount } from './Summary';
import styles from './Toolbar.module.css';

export interface Tab {
  /** The value of the filter; empty for all. */
  value: string;
  label: string;
  count: number | undefined;
  /** If false, there are more than `count`. */
  isExact: boolean;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChoose: (value: string) => void;
}

/** The most used filter, always visible, with the number of matches for each choice. */
export function Tabs({ label, tabs, value, onChoose }: TabsProps) {
  return (
    <div role="group" aria-label={label} className={styles.tabs}>
      {tabs.map(({ value: own, label: name, count, isExact }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          className={classes(styles.tab, own === value && styles.chosenTab)}
          onClick={() => onChoose(own)}
        >
          {name}
          {count !== undefined && (
            <span className={styles.count}>
              {` ${formatCount(plainCount({ count, isExact }))}${isExact ? '' : '+'}`}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
