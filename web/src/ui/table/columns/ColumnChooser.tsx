import type { View } from '../filters/view';
import styles from './ColumnChooser.module.css';
import type { ColumnName } from './columns';
import { chooseDensity, type Density, useDensity } from './rowLayout';

interface ColumnChooserProps {
  columns: readonly ColumnName[];
  view: View;
  change: (part: Partial<View>) => void;
  hasDensity: boolean;
  selecting: { isOn: boolean; set: (isOn: boolean) => void } | undefined;
}

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

export function ColumnChooser(props: ColumnChooserProps) {
  const { columns, view, change, hasDensity, selecting } = props;
  const density = useDensity();
  const shown = columns.filter(({ key }) => !view.hidden.includes(key));
  const toggle = (key: string) =>
    change({
      hidden: columns
        .map((column) => column.key)
        .filter((other) => view.hidden.includes(other) !== (other === key)),
    });

  return (
    <div className={styles.chooser}>
      <fieldset className={styles.group}>
        <legend className="visually-hidden">Shown columns</legend>
        {columns.map(({ key, header }) => {
          const isShown = !view.hidden.includes(key);
          return (
            <label key={key} className={styles.choice}>
              <input
                type="checkbox"
                checked={isShown}
                // At least one column stays visible.
                disabled={isShown && shown.length === 1}
                onChange={() => toggle(key)}
              />
              {header}
            </label>
          );
        })}
      </fieldset>
      {selecting && (
        <div className={styles.group}>
          <label className={styles.choice}>
            <input
              type="checkbox"
              checked={selecting.isOn}
              onChange={() => selecting.set(!selecting.isOn)}
            />
            Select rows
          </label>
        </div>
      )}
      {hasDensity && (
        <fieldset className={styles.group}>
          <legend className={styles.legend}>Rows</legend>
          {densities.map(({ value, label }) => (
            <label key={value} className={styles.choice}>
              <input
                type="radio"
                name="density"
                checked={density === value}
                onChange={() => chooseDensity(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
