import { type FormEvent, useRef, useState } from 'react';
import { startSession } from '../../api/session';
import { Alert } from '../../ui/Alert';
import { useLocation } from '../../ui/address';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { EyeIcon } from '../../ui/icons/EyeIcon';
import { EyeOffIcon } from '../../ui/icons/EyeOffIcon';
import { logIn } from './adminsQuery';
import styles from './LoginScreen.module.css';
import { loginFailure } from './loginFailure';

export function LoginForm({ destination }: { destination: () => string }) {
  const [, navigate] = useLocation();
  const [isShown, setIsShown] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string[] | null>(null);
  const password = useRef<HTMLInputElement>(null);
  const underWay = useRef(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (underWay.current) return;
    const typed = new FormData(event.currentTarget);
    underWay.current = true;
    setIsSending(true);
    setFailure(null);
    try {
      const answer = await logIn(String(typed.get('username')), String(typed.get('password')));
      const goTo = destination();
      startSession(answer.token);
      navigate(goTo, { replace: true });
    } catch (error) {
      setFailure(loginFailure(error));
      password.current?.focus();
    } finally {
      underWay.current = false;
      setIsSending(false);
    }
  };

  return (
    <form onSubmit={submit} className={styles.form}>
      {failure && (
        <Alert tone="bad">
          {failure.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Alert>
      )}
      <Field
        label="Username"
        name="username"
        required
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        ref={password}
        label="Password"
        name="password"
        type={isShown ? 'text' : 'password'}
        required
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
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
      <Button type="submit" look="filled" disabled={isSending} aria-busy={isSending}>
        {isSending ? 'Logging in…' : 'Login'}
      </Button>
    </form>
  );
}
