import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { startSession, useToken, whereSessionEnded } from '../../api/session';
import { meQuery } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { EyeIcon, EyeOffIcon } from '../../ui/icons/icons';
import { Logo } from '../../ui/icons/Logo';
import { Alert, Lines } from '../../ui/notices/Alert';
import { Link, useLocation } from '../../ui/page/address';
import { useScreenTitle } from '../../ui/page/Page';
import styles from './LoginScreen.module.css';

interface LoginScreenProps {
  destination: () => string;
  /** Where an admin who is already signed in came from. */
  cameFrom: () => string;
}

export function LoginScreen({ destination, cameFrom }: LoginScreenProps) {
  const token = useToken();
  useScreenTitle('Login');

  return (
    <main className={styles.screen}>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Logo />
          Countinghouse
        </p>
        {token && <SignedInAs key={token} destination={cameFrom()} />}
        {!token && whereSessionEnded() !== null && (
          <Alert tone="plain">
            <p>Your session has ended. Please log in again.</p>
          </Alert>
        )}
        <div className={styles.panel}>
          <h1 className={styles.title}>Login</h1>
          <LoginForm destination={destination} />
        </div>
      </div>
    </main>
  );
}

function LoginForm({ destination }: { destination: () => string }) {
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
      const body = {
        username: String(typed.get('username')),
        password: String(typed.get('password')),
      };
      const answer = await dataOf<Schemas['LoginAnswer']>(api.POST('/api/admin/login', { body }));
      const goTo = destination();
      startSession(answer.token, answer.username);
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
          <Lines lines={failure} />
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

function SignedInAs({ destination }: { destination: string }) {
  const me = useQuery(meQuery);
  if (me.isPending) return null;
  return (
    <p className={styles.signedIn}>
      {me.data ? `You are signed in as ${me.data.username} - ` : 'You are signed in - '}
      <Link href={destination}>continue</Link>
    </p>
  );
}

/** The first line is the same for every cause, so that an attacker who guesses learns nothing from it. */
function loginFailure(error: unknown): string[] {
  const lines = ['Invalid username or password'];
  const isThrottled = error instanceof RefusedError && error.status === 429;
  // Neither cause reveals anything about the name or the password, and the admin should know what to wait for.
  if (isThrottled || isOutcomeUnknown(error)) lines.push(sentenceOf(error));
  return lines;
}
