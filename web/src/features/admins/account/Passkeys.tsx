import { useState } from 'react';
import { hasPasskeys } from '../../../api/passkeys';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/form/Field';
import { ShortList } from '../../../ui/table/ShortList';
import { Day } from '../../../ui/text/Day';
import { formatMoment } from '../../../ui/text/dates';
import { addPasskey, type OwnPasskey, removePasskey } from './accountActions';
import { ChangeDialog } from './ChangeDialog';
import { PasswordField } from './PasswordField';

interface PasskeysProps {
  list: {
    rows: readonly OwnPasskey[] | undefined;
    failure: string | undefined;
    isLoading: boolean;
    reload: () => void;
  };
  onChanged: (recoveryCodes?: readonly string[]) => void;
}

export function Passkeys({ list, onChanged }: PasskeysProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<OwnPasskey | null>(null);
  return (
    <section aria-label="Passkeys">
      <ShortList
        nouns="passkeys"
        list={list}
        intro="A passkey on your phone, computer or security key logs you in without a password."
        beginning="You unlock it with your fingerprint, face or PIN. It works only at this desk."
        add={
          <Button disabled={!hasPasskeys()} onClick={() => setIsAdding(true)}>
            Add a passkey…
          </Button>
        }
        columns={[
          { header: 'Passkey', cell: ({ name }) => <p className="medium">{name}</p> },
          { header: 'Added', cell: ({ createdAt }) => <Day at={createdAt} /> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) =>
              lastUsedAt ? <span className="figures">{formatMoment(lastUsedAt)}</span> : 'Never',
          },
          {
            header: 'Actions',
            isAction: true,
            cell: (passkey) => (
              <Button
                look="danger"
                size="row"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                Remove…
              </Button>
            ),
          },
        ]}
      />
      {isAdding && (
        <AddDialog
          onAdded={(codes) => {
            setIsAdding(false);
            onChanged(codes);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {removing && (
        <ChangeDialog
          title={`Remove the passkey “${removing.name}”?`}
          confirmLabel="Remove"
          isDangerous
          change={() => removePasskey(removing._id)}
          onChanged={() => {
            setRemoving(null);
            onChanged();
          }}
          onClose={() => setRemoving(null)}
        >
          <p>It no longer logs you in, and your other sessions end.</p>
        </ChangeDialog>
      )}
    </section>
  );
}

interface AddDialogProps {
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function AddDialog({ onAdded, onClose }: AddDialogProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const missing = name.trim()
    ? password
      ? undefined
      : 'Enter your password.'
    : 'Enter a name that you will recognize.';
  return (
    <ChangeDialog
      title="Add a passkey"
      confirmLabel="Continue"
      missing={missing}
      change={() => addPasskey(password, name.trim())}
      onChanged={onAdded}
      onClose={onClose}
      fields={
        <>
          <Field
            label="Name, e.g. My phone"
            value={name}
            maxLength={100}
            data-first=""
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
          <PasswordField value={password} onChange={setPassword} />
        </>
      }
    />
  );
}
