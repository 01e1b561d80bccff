import type { ViewControl } from '../../ui/table/filters/useView';
import { dayAfter, today } from '../../ui/text/deskDay';
import styles from './DayTabs.module.css';

/** The days that are asked for most, one click each. */
export function DayTabs({ control }: { control: ViewControl }) {
  const { view, change } = control;
  const { from = '', to = '', ...others } = view.filters;
  const days = [
    { label: 'Any day', day: '' },
    { label: 'Today', day: today() },
    { label: 'Yesterday', day: dayAfter(today(), -1) },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a flex box
    <div role="group" aria-label="Day" className={styles.tabs}>
      {days.map(({ label, day }) => (
        <button
          key={label}
          type="button"
          aria-pressed={from === to && day === from}
          className={styles.tab}
          onClick={() => change({ filters: day ? { ...others, from: day, to: day } : others })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
