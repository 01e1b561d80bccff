import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './Field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  invalid?: boolean;
  /** Shown beside the label, e.g. the source of the value. */
  note?: string;
  /** Shown inside the box, after the text, e.g. show/hide. */
  trailing?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, invalid = false, note, trailing, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={id}>{label}</label>
        {note && <span id={`${id}-note`}>{note}</span>}
      </div>
      <div className={styles.box}>
        <input
          id={id}
          aria-invalid={invalid || undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          {...input}
        />
        {trailing}
      </div>
    </div>
  );
}
