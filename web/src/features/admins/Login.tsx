import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { hasPasskeys, NoPasskeyError, signWithPasskey } from '../../api/passkeys';
import { hasSessionEnded, startSession, useToken } from '../../api/session';
import { meQuery } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { Alert } from '../../ui/notices/Alert';
import { Link, useLocation } from '../../ui/page/address';
import styles from '../../ui/page/Entrance.module.css';
import { useScreenTitle } from '../../ui/page/Page';
import { accountPath } from '../../ui/page/paths';
import { Entrance, PasswordForm, Refusal } from './Entrance';
import { type Challenge, SecondStep } from './SecondStep';

export interface LoginProps {
  destination: (username: string) => string;
  /** Where an admin who is already signed in came from. */
  cameFrom: () => string;
}

export function Login({ destination, cameFrom }: LoginProps) {
  const token = useToken();
  useScreenTitle('Login');

  return (
    <Entrance
      title="Login"
      above={
        token ? (
          <SignedInAs key={token} destination={cameFrom()} />
        ) : (
          hasSessionEnded() && (
            <Alert tone="plain">
              <p>Your session has ended. Please log in again.</p>
            </Alert>
          )
        )
      }
    >
      <LoginForm destination={destination} />
    </Entrance>
  );
}

type LoginBody =
  | Schemas['LoginRequest']
  | Schemas['CodeLogin']
  | Schemas['PasskeyLogin']
  | Schemas['PasskeyStart'];

function LoginForm({ destination }: { destination: (username: string) => string }) {
  const [, navigate] = useLocation();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const password = useRef<HTMLInputElement>(null);
  const underWay = useRef(false);

  const logIn = async (body: LoginBody) => {
    const answer = await dataOf<Schemas['LoginAnswer']>(api.POST('/api/admin/login', { body }));
    // Where a second factor is set up.
    const goTo = answer.mustEnrol ? accountPath : destination(answer.username);
    startSession(answer.token, answer.username, answer.permissions);
    navigate(goTo, { replace: true });
  };

  /** Runs one step of the login; of two at the same time, the first. */
  const attempt = async (step: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setIsSending(true);
    setFailure([]);
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

  const sign = async (token: string) =>
    logIn({ challenge: token, passkey: await signWithPasskey(token) });

  /** Login by passkey alone: the server's refusal contains what the passkey has to sign. */
  const logInWithPasskey = async () => {
    const refused = await logIn({ begin: 'passkey' }).catch((error: unknown) => error);
    const asked = challengeOf(refused);
    if (!asked) throw refused;
    await sign(asked.token);
  };

  if (challenge) {
    const { token } = challenge;
    return (
      <div className={styles.form}>
        <Refusal lines={failure} />
        <SecondStep
          challenge={challenge}
          isSending={isSending}
          onCode={(code) => void attempt(() => logIn({ challenge: token, code }))}
          onPasskey={() => void attempt(() => sign(token))}
          onCancel={() => {
            setChallenge(null);
            setFailure([]);
          }}
        />
      </div>
    );
  }

  return (
    <PasswordForm
      refusal={failure}
      hasUsername
      passwordField={password}
      label="Login"
      busyLabel="Logging in…"
      isBusy={isSending}
      onSubmit={(typed) => void attempt(() => logIn(typed))}
    >
      {hasPasskeys() && (
        <Button disabled={isSending} onClick={() => void attempt(logInWithPasskey)}>
          Use a passkey
        </Button>
      )}
    </PasswordForm>
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
