import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { RefusedError, sentenceOf } from '../../api/errors';
import { acceptInvitation, openInvitation, roleNames } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { Logo } from '../../ui/icons/Logo';
import { Alert, Lines } from '../../ui/notices/Alert';
import { Link } from '../../ui/page/address';
import styles from '../../ui/page/Entrance.module.css';
import { useScreenTitle } from '../../ui/page/Page';

/** Where an invited admin sets a password. The token is behind the `#`, which browsers do not send. */
export default function InviteScreen({ title }: { title: string }) {
  useScreenTitle(title);
  const [token] = useState(() => window.location.hash.slice(1));
  const link = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => openInvitation(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [welcome, setWelcome] = useState<string | null>(null);

  return (
    <main className={styles.screen}>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Logo />
          Countinghouse
        </p>
        <div className={styles.panel}>
          <h1 className={styles.title}>{title}</h1>
          {link.error && (
            <Alert tone="bad">
              <Lines lines={[sentenceOf(link.error)]} />
            </Alert>
          )}
          {link.isPending && <p className="quiet">Checking the link…</p>}
          {link.data && welcome === null && (
            <PasswordForm token={token} {...link.data} onDone={setWelcome} />
          )}
          {welcome !== null && (
            <p>
              {`The password of ${welcome} is set. `}
              <Link href="/">Log in</Link>
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

interface PasswordFormProps {
  token: string;
  /** Null for the first owner, who chooses a name. */
  username: string | null;
  role: keyof typeof roleNames;
  onDone: (username: string) => void;
}

function PasswordForm({ token, username, role, onDone }: PasswordFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const accepting = useMutation({
    mutationFn: acceptInvitation,
    onSuccess: (welcome) => onDone(welcome.username),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (accepting.isPending) return;
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '');
    accepting.reset();
    const isSame = text('password') === text('again');
    setProblem(isSame ? null : 'The two passwords are not the same.');
    if (!isSame) return;
    accepting.mutate({
      token,
      password: text('password'),
      ...(username === null && { username: text('username').trim() }),
    });
  };
  const lines = problem ? [problem] : accepting.error ? reasonsOf(accepting.error) : [];
  return (
    <form onSubmit={submit} className={styles.form}>
      <p className="quiet wrap">
        {username === null
          ? 'You become the first owner of this desk. Choose a user name and a password.'
          : `Set the password of ${username}. Your role is ${roleNames[role]}.`}
      </p>
      {lines.length > 0 && (
        <Alert tone="bad">
          <Lines lines={lines} />
        </Alert>
      )}
      {username === null && (
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
        label="Password"
        name="password"
        type="password"
        required
        autoFocus={username !== null}
        autoComplete="new-password"
      />
      <Field
        label="Password again"
        name="again"
        type="password"
        required
        autoComplete="new-password"
      />
      <Button type="submit" look="filled" aria-busy={accepting.isPending}>
        Set password
      </Button>
    </form>
  );
}

const reasonsOf = (error: Error) => {
  const fields = error instanceof RefusedError ? Object.values(error.fields) : [];
  return fields.length > 0 ? fields : [sentenceOf(error)];
};
