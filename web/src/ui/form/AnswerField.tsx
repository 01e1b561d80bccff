import { type ChangeEvent, useId } from 'react';
import { classes } from '../classes';
import styles from './Field.module.css';

interface AnswerFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
  hint?: string | undefined;
  isRequired?: boolean;
  isLong?: boolean;
  isFirst?: boolean;
  isReadOnly?: boolean;
  /** An address like `name@bank`, which must not be capitalized as bank codes are. */
  isAddress?: boolean;
  type?: 'text' | 'url' | 'date' | 'datetime-local';
  /** The earliest day or moment. */
  min?: string;
  maxLength?: number;
}

/** One input in a dialog, with its error message right below. */
export function AnswerField(props: AnswerFieldProps) {
  const { label, value, onChange, problem, hint, isRequired, isLong, isFirst } = props;
  const id = useId();
  const below = problem ?? hint;
  const { type = 'text' } = props;
  const shared = {
    id,
    value,
    maxLength: props.maxLength,
    readOnly: props.isReadOnly,
    required: isRequired,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': below ? `${id}-below` : undefined,
    'data-first': isFirst ? '' : undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.target.value),
  };
  return (
    <div className={classes(styles.field, styles.answer)}>
      <div className={styles.top}>
        <label htmlFor={id}>{label}</label>
      </div>
      {isLong ? (
        <textarea {...shared} rows={3} />
      ) : (
        <input
          {...shared}
          type={type}
          min={props.min}
          autoComplete="off"
          autoCapitalize={props.isAddress || type === 'url' ? 'off' : 'characters'}
          inputMode={props.isAddress ? 'email' : undefined}
          spellCheck={false}
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
