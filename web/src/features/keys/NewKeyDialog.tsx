import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { type AddedKey, keysOptions, type Scope } from '../../entities/key/key';
import { Dialog } from '../../ui/dialog/Dialog';
import { AnswerField } from '../../ui/form/AnswerField';
import { CheckList } from '../../ui/form/CheckList';
import { Alert, Lines } from '../../ui/notices/Alert';
import { today } from '../../ui/text/deskDay';
import styles from './Keys.module.css';
import { addKey } from './keyActions';
import { endOfDay, scopes, splitNetworks } from './keyTexts';

interface NewKeyDialogProps {
  onAdded: (added: AddedKey) => void;
  onClose: () => void;
}

const lost =
  'No answer came back. If the list now has this key, revoke it and make another with a new name.';

export function NewKeyDialog({ onAdded, onClose }: NewKeyDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Scope[]>([]);
  const [day, setDay] = useState('');
  const [networks, setNetworks] = useState('');
  const [missing, setMissing] = useState<Record<string, string>>({});
  const adding = useMutation({
    mutationFn: addKey,
    onSuccess: onAdded,
    onSettled: () => void client.invalidateQueries({ queryKey: keysOptions.queryKey }),
  });

  const confirm = () => {
    const wrong = {
      ...(!name.trim() && { name: 'Enter the name of the program that will use it.' }),
      ...(chosen.length === 0 && { scopes: 'Choose at least one.' }),
    };
    adding.reset();
    setMissing(wrong);
    if (Object.keys(wrong).length > 0) return;
    adding.mutate({
      name: name.trim(),
      scopes: chosen,
      networks: splitNetworks(networks),
      expiresAt: day ? endOfDay(day) : null,
    });
  };

  const refusals = adding.error instanceof RefusedError ? adding.error.fields : {};
  const problemOf = (field: string) => {
    const found = Object.entries(refusals).find(([one]) => one.split('.')[0] === field)?.[1];
    // The server calls the second network `networks.1`; here it is one of several words in a field.
    const word = (_: string, place: string) => `“${splitNetworks(networks)[Number(place)]}”`;
    return missing[field] ?? found?.replace(/^networks\.(\d+)/, word);
  };
  const isShownBelow = ['name', 'scopes', 'expiresAt', 'networks'].some(problemOf);
  const edit =
    <Value,>(field: string, set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setMissing(({ [field]: _, ...rest }) => rest);
    };

  return (
    <Dialog
      title="New key"
      isWide
      confirm={{ label: 'Make key', isBusy: adding.isPending, onConfirm: confirm }}
      onClose={onClose}
      fields={
        <>
          <AnswerField
            label="Name"
            value={name}
            onChange={edit('name', setName)}
            problem={problemOf('name')}
            hint="Shown in the audit log. A name cannot be used again."
            isRequired
            isFirst
            isAddress
            isReadOnly={adding.isPending}
            maxLength={100}
          />
          <CheckList
            legend="It may"
            options={scopes}
            chosen={chosen}
            onChange={edit('scopes', setChosen)}
            problem={problemOf('scopes')}
          />
          <AnswerField
            label="Expires after (optional)"
            type="date"
            min={today()}
            value={day}
            onChange={edit('expiresAt', setDay)}
            problem={problemOf('expiresAt')}
            hint="Leave empty for a key that works until it is revoked."
            isReadOnly={adding.isPending}
          />
          <AnswerField
            label="Allowed networks (optional)"
            value={networks}
            onChange={edit('networks', setNetworks)}
            problem={problemOf('networks')}
            hint="Such as 203.0.113.7, 10.0.0.0/8. Leave empty to allow any network."
            isAddress
            isReadOnly={adding.isPending}
            maxLength={1000}
          />
          {adding.error && !isShownBelow && (
            <div className={styles.problem}>
              <Alert tone="bad">
                <Lines lines={[isOutcomeUnknown(adding.error) ? lost : sentenceOf(adding.error)]} />
              </Alert>
            </div>
          )}
        </>
      }
    >
      <p className="quiet">
        For a program that sends data to this desk. No key can pay a claim, display a QR code or
        manage admins.
      </p>
    </Dialog>
  );
}
