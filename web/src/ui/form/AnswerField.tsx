import { useId } from 'react';
import styles from './AnswerField.module.css';

interface AnswerFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The validation error, as a sentence. */
  problem?: string | undefined;
  hint?: string | undefined;
  isRequired?: boolean;
  isLong?: boolean;
  isFirst?: boolean;
  isReadOnly?: boolean;
  /** An address like `name@bank`, which must not be capitalized as bank codes are. */
  isAddress?: boolean;
  maxLength: number;
}

/** One input in a dialog, with its error message right below. */
export function AnswerField(props: AnswerFieldProps) {
  const { label, value, onChange, problem, hint, isRequired, isLong, isFirst } = props;
  const id = useId();
  const below = problem ?? hint;
  const shared = {
    id,
    value,
    maxLength: props.maxLength,
    readOnly: props.isReadOnly,
    required: isRequired,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': below ? `${id}-below` : undefined,
    'data-first': isFirst ? '' : undefined,
    className: styles.input,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {isLong ? (
        <textarea {...shared} rows={3} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          autoCapitalize={props.isAddress ? 'off' : 'characters'}
          inputMode={props.isAddress ? 'email' : undefined}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {below && (
        <p
          id={`${id}-below`}
          role={problem ? 'alert' : undefined}
          className={problem ? styles.problem : styles.hint}
        >
          {below}
        </p>
      )}
    </div>
  );
}
