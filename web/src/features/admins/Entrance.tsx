import { type FormEvent, type ReactNode, type Ref, useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { EyeIcon, EyeOffIcon } from '../../ui/icons/icons';
import { Logo } from '../../ui/icons/Logo';
import { Alert, Lines } from '../../ui/notices/Alert';
import styles from '../../ui/page/Entrance.module.css';

interface EntranceProps {
  title: string;
  /** Shown above the panel. */
  above?: ReactNode;
  children: ReactNode;
}

/** A screen for somebody who is not signed in. */
export const Entrance = ({ title, above, children }: EntranceProps) => (
  <main className={styles.screen}>
    <div className={styles.column}>
      <p className={styles.brand}>
        <Logo />
        Countinghouse
      </p>
      {above}
      <div className={styles.panel}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </div>
  </main>
);

export const Refusal = ({ lines }: { lines: readonly string[] }) =>
  lines.length > 0 && (
    <Alert tone="bad">
      <Lines lines={lines} />
    </Alert>
  );

interface PasswordFormProps {
  intro?: ReactNode;
  refusal: readonly string[];
  hasUsername: boolean;
  /** A new password is typed twice. */
  isNew?: boolean;
  passwordField?: Ref<HTMLInputElement>;
  label: string;
  busyLabel: string;
  isBusy: boolean;
  onSubmit: (typed: { username: string; password: string }) => void;
  /** Shown below the button. */
  children?: ReactNode;
}

export function PasswordForm(props: PasswordFormProps) {
  const { intro, refusal, hasUsername, isNew = false, isBusy, onSubmit, children } = props;
  const [isShown, setIsShown] = useState(false);
  const [isDifferent, setIsDifferent] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '');
    const password = text('password');
    const isWrong = isNew && password !== text('again');
    setIsDifferent(isWrong);
    if (!isBusy && !isWrong) onSubmit({ username: text('username'), password });
  };
  const password = {
    type: isShown ? 'text' : 'password',
    required: true,
    autoComplete: isNew ? 'new-password' : 'current-password',
    autoCapitalize: 'none',
    spellCheck: false,
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      {intro}
      <Refusal lines={isDifferent ? ['The two passwords are not the same.'] : refusal} />
      {hasUsername && (
        <Field
          label="Username"
          name="username"
          required
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <Field
        {...password}
        {...(props.passwordField && { ref: props.passwordField })}
        label="Password"
        name="password"
        autoFocus={!hasUsername}
        trailing={
          <Button
            look="icon"
            aria-label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </Button>
        }
      />
      {isNew && <Field {...password} label="Password again" name="again" />}
      <Button type="submit" look="filled" disabled={isBusy} aria-busy={isBusy}>
        {isBusy ? props.busyLabel : props.label}
      </Button>
      {children}
    </form>
  );
}
