import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { hasPasskeys, NoPasskeyError, signWithPasskey } from '../../api/passkeys';
import { startSession, useToken, whereSessionEnded } from '../../api/session';
import { meQuery } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { EyeIcon, EyeOffIcon } from '../../ui/icons/icons';
import { Logo } from '../../ui/icons/Logo';
import { Alert, Lines } from '../../ui/notices/Alert';
import { Link, useLocation } from '../../ui/page/address';
import styles from '../../ui/page/Entrance.module.css';
import { useScreenTitle } from '../../ui/page/Page';
import { type Challenge, SecondStep } from './SecondStep';

/** Where a second factor is set up. */
const accountPath = '/Settings/Account';

interface LoginScreenProps {
  destination: () => string;
  /** Where an admin who is already signed in came from. */
  cameFrom: () => string;
}

export default function LoginScreen({ destination, cameFrom }: LoginScreenProps) {
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

type LoginBody =
  | Schemas['LoginRequest']
  | Schemas['CodeLogin']
  | Schemas['PasskeyLogin']
  | Schemas['PasskeyStart'];

function LoginForm({ destination }: { destination: () => string }) {
  const [, navigate] = useLocation();
  const [isShown, setIsShown] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string[] | null>(null);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const password = useRef<HTMLInputElement>(null);
  const underWay = useRef(false);

  const logIn = async (body: LoginBody) => {
    const answer = await dataOf<Schemas['LoginAnswer']>(api.POST('/api/admin/login', { body }));
    const goTo = answer.mustEnrol ? accountPath : destination();
    startSession(answer.token, answer.username, answer.permissions);
    navigate(goTo, { replace: true });
  };

  /** Runs one step of the login; of two at the same time, the first. */
  const attempt = async (step: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setIsSending(true);
    setFailure(null);
    try {
      await step();
    } catch (error) {
      const asked = challengeOf(error);
      if (asked) setChallenge(asked);
      else setFailure(loginFailure(error, challenge !== null));
      if (error instanceof RefusedError && error.code === 'login_expired') setChallenge(null);
      password.current?.focus();
    } finally {
      underWay.current = false;
      setIsSending(false);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const username = String(typed.get('username'));
    void attempt(() => logIn({ username, password: String(typed.get('password')) }));
  };

  const sign = async (token: string) =>
    logIn({ challenge: token, passkey: await signWithPasskey(token) });

  /** Login by passkey alone: the server's refusal contains what the passkey has to sign. */
  const logInWithPasskey = async () => {
    const refused = await logIn({ begin: 'passkey' }).catch((error: unknown) => error);
    const asked = challengeOf(refused);
    if (!asked) throw refused;
    await sign(asked.token);
  };

  const alert = failure && (
    <Alert tone="bad">
      <Lines lines={failure} />
    </Alert>
  );

  if (challenge) {
    const { token } = challenge;
    return (
      <div className={styles.form}>
        {alert}
        <SecondStep
          challenge={challenge}
          isSending={isSending}
          onCode={(code) => void attempt(() => logIn({ challenge: token, code }))}
          onPasskey={() => void attempt(() => sign(token))}
          onCancel={() => {
            setChallenge(null);
            setFailure(null);
          }}
        />
      </div>
    );
  }

  return (
    <form onSubmit={submit} className={styles.form}>
      {alert}
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
      {hasPasskeys() && (
        <Button disabled={isSending} onClick={() => void attempt(logInWithPasskey)}>
          Use a passkey
        </Button>
      )}
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

/** What more the server wants, if the password was right. */
function challengeOf(error: unknown): Challenge | null {
  if (!(error instanceof RefusedError) || error.code !== 'second_factor_needed') return null;
  const { challenge: token = '', needs = '' } = error.fields;
  return { token, needs: needs.split(' ') };
}

/** The first line is the same for every cause, so that an attacker who guesses learns nothing from it. */
function loginFailure(error: unknown, isSecondStep: boolean): string[] {
  const lines = ['Invalid username or password'];
  const isThrottled = error instanceof RefusedError && error.status === 429;
  if (error instanceof NoPasskeyError) lines.push(error.message);
  // No cause reveals anything about the name or the password, and the admin should know what to wait for.
  else if (isThrottled || isSecondStep || isOutcomeUnknown(error)) lines.push(sentenceOf(error));
  return lines;
}
