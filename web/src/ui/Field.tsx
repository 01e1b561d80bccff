import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './Field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  invalid?: boolean;
  /** Stands inside the box, after the text: e.g. show/hide. */
  trailing?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, invalid = false, trailing, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        <input id={id} className={styles.input} aria-invalid={invalid || undefined} {...input} />
        {trailing}
      </div>
    </div>
  );
}
