import { classes } from '../classes';
import { formatCount } from '../rupees';
import styles from './Toolbar.module.css';

export interface Tab {
  /** Of the filter; empty for all. */
  value: string;
  label: string;
  count: number | undefined;
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
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          aria-pressed={tab.value === value}
          className={classes(styles.tab, tab.value === value && styles.chosenTab)}
          onClick={() => onChoose(tab.value)}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className={styles.count}>
              {` ${formatCount(tab.count)}${tab.isExact ? '' : '+'}`}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
