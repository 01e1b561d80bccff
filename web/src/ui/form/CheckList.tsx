import { useId } from 'react';
import styles from './CheckList.module.css';

interface CheckListProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: string; sentence?: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  problem?: string | undefined;
}

/** Several choices in a dialog, each with a sentence about it. */
export function CheckList<Value extends string>(props: CheckListProps<Value>) {
  const { legend, options, chosen, onChange, problem } = props;
  const id = useId();
  const toggle = (value: Value) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((one) => chosen.includes(one) !== (one === value)),
    );
  return (
    <fieldset className={styles.list} aria-describedby={problem && `${id}-problem`}>
      <legend className={styles.legend}>{legend}</legend>
      {options.map(({ value, label, sentence }) => (
        <label key={value} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            aria-invalid={problem !== undefined || undefined}
            onChange={() => toggle(value)}
          />
          <span>
            <span className="medium">{label}</span>
            {sentence && <span className="small quiet">{` ${sentence}`}</span>}
          </span>
        </label>
      ))}
      {problem && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}
