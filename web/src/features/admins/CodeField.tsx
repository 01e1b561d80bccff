import { Field } from '../../ui/form/Field';
import { Alert, Lines } from '../../ui/notices/Alert';
import styles from './CodeField.module.css';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
  isReadOnly?: boolean;
  /** Without the field, only the problem is shown. */
  isShown?: boolean;
}

/** A code in a dialog, with what was wrong with the last one. */
export function CodeField({
  label,
  value,
  onChange,
  problem,
  isReadOnly,
  isShown = true,
}: CodeFieldProps) {
  return (
    <div className={styles.code}>
      {isShown && (
        <Field
          label={label}
          value={value}
          data-first=""
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={40}
          spellCheck={false}
          readOnly={isReadOnly}
          invalid={problem !== undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {problem && (
        <Alert tone="bad">
          <Lines lines={[problem]} />
        </Alert>
      )}
    </div>
  );
}
