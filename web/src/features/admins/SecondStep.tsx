import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import styles from '../../ui/page/Entrance.module.css';

/** What the server wants besides the password. */
export interface Challenge {
  token: string;
  needs: readonly string[];
}

interface SecondStepProps {
  challenge: Challenge;
  isSending: boolean;
  onCode: (code: string) => void;
  onPasskey: () => void;
  onCancel: () => void;
}

export function SecondStep(props: SecondStepProps) {
  const { challenge, isSending, onCode, onPasskey, onCancel } = props;
  const [code, setCode] = useState('');
  const takesCode = challenge.needs.some((way) => way === 'totp' || way === 'recovery');
  const takesPasskey = challenge.needs.includes('passkey');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(code.trim());
    setCode('');
  };

  return (
    <form onSubmit={submit} className={styles.form}>
      {takesCode && (
        <>
          <Field
            label="Code from your authenticator app, or a recovery code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            required
            autoFocus
            minLength={6}
            maxLength={40}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" look="filled" disabled={isSending} aria-busy={isSending}>
            {isSending ? 'Logging in…' : 'Continue'}
          </Button>
        </>
      )}
      {takesPasskey && (
        <Button look={takesCode ? 'quiet' : 'filled'} disabled={isSending} onClick={onPasskey}>
          Use a passkey
        </Button>
      )}
      <Button disabled={isSending} onClick={onCancel}>
        Start again
      </Button>
    </form>
  );
}
