import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { sentenceOf, sentencesOf } from '../../api/errors';
import { roleNames } from '../../entities/admin/admin';
import { Link } from '../../ui/page/address';
import { useScreenTitle } from '../../ui/page/Page';
import { Entrance, PasswordForm, Refusal } from './Entrance';

const openInvitation = (token: string) =>
  dataOf<Schemas['LinkShown']>(api.POST('/api/invitations/open', { body: { token } }));

const acceptInvitation = (body: Schemas['AcceptedLink']) =>
  dataOf<Schemas['Welcome']>(api.POST('/api/invitations/accept', { body }));

/** Where an invited admin sets a password. The token is behind the `#`, which browsers do not send. */
export function Invitation({ title }: { title: string }) {
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
    <Entrance title={title}>
      {link.error && <Refusal lines={[sentenceOf(link.error)]} />}
      {link.isPending && <p className="quiet">Checking the link…</p>}
      {link.data && welcome === null && (
        <InvitedForm token={token} {...link.data} onDone={setWelcome} />
      )}
      {welcome !== null && (
        <p>
          {`The password of ${welcome} is set. `}
          <Link href="/">Log in</Link>
        </p>
      )}
    </Entrance>
  );
}

interface InvitedFormProps {
  token: string;
  /** Null for the first owner, who chooses a name. */
  username: string | null;
  role: keyof typeof roleNames;
  onDone: (username: string) => void;
}

function InvitedForm({ token, username, role, onDone }: InvitedFormProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: acceptInvitation,
    onSuccess: (welcome) => onDone(welcome.username),
  });
  const isFirst = username === null;
  return (
    <PasswordForm
      intro={
        <p className="quiet wrap">
          {isFirst
            ? 'You become the first owner of this desk. Choose a user name and a password.'
            : `Set the password of ${username}. Your role is ${roleNames[role]}.`}
        </p>
      }
      refusal={error ? sentencesOf(error) : []}
      hasUsername={isFirst}
      isNew
      label="Set password"
      busyLabel="Saving…"
      isBusy={isPending}
      onSubmit={({ username: chosen, password }) =>
        mutate({ token, password, ...(isFirst && { username: chosen.trim() }) })
      }
    />
  );
}
