import { classes } from '../classes';
import { formatCount } from '../rupees';
import { plainCount } from './Summary';
import styles from './Toolbar.module.css';

export interface Tab {
  /** Of the filter; empty for all. */
  value: string;
  label: string;
  count: number | undefined;
  /** If not, there are more than `count`. */
  isExact: boolean;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChoose: (value: string) => void;
}

/** The filter that is used most, always in sight, with how much each choice would show. */
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
