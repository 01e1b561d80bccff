import type { InputHTMLAttributes } from 'react';
import type { View } from '../filters/view';
import styles from './ColumnChooser.module.css';
import type { ColumnName } from './columns';
import { chooseDensity, useDensity } from './rowLayout';

interface ColumnChooserProps {
  columns: readonly ColumnName[];
  view: View;
  change: (part: Partial<View>) => void;
  hasDensity: boolean;
  selecting: { isOn: boolean; set: (isOn: boolean) => void } | undefined;
}

const densities = { comfortable: 'Comfortable', compact: 'Compact' };

export function ColumnChooser(props: ColumnChooserProps) {
  const { columns, view, change, hasDensity, selecting } = props;
  const density = useDensity();
  const shown = columns.filter(({ key }) => !view.hidden.includes(key));
  const toggle = (key: string) => {
    const others = view.hidden.filter((other) => other !== key);
    change({ hidden: others.length < view.hidden.length ? others : [...others, key] });
  };

  return (
    <div className={styles.chooser}>
      <fieldset className={styles.group}>
        <legend className="visually-hidden">Shown columns</legend>
        {columns.map(({ key, header }) => {
          const isShown = !view.hidden.includes(key);
          return (
            <Choice
              key={key}
              label={header}
              checked={isShown}
              // At least one column stays visible.
              disabled={isShown && shown.length === 1}
              onChange={() => toggle(key)}
            />
          );
        })}
      </fieldset>
      {selecting && (
        <div className={styles.group}>
          <Choice
            label="Select rows"
            checked={selecting.isOn}
            onChange={() => selecting.set(!selecting.isOn)}
          />
        </div>
      )}
      {hasDensity && (
        <fieldset className={styles.group}>
          <legend className={styles.legend}>Rows</legend>
          {(['comfortable', 'compact'] as const).map((value) => (
            <Choice
              key={value}
              type="radio"
              name="density"
              label={densities[value]}
              checked={density === value}
              onChange={() => chooseDensity(value)}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Choice({ label, ...input }: InputHTMLAttributes<HTMLInputElement> & { label: string }) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" {...input} />
      {label}
    </label>
  );
}
