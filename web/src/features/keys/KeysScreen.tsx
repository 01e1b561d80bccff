import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { useList } from '../../api/pagedList';
import { type AddedKey, type ApiKey, keysOptions } from '../../entities/key/key';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/dialog/Dialog';
import { Alert, Lines } from '../../ui/notices/Alert';
import { Page } from '../../ui/page/Page';
import { ShortList } from '../../ui/table/ShortList';
import { KeyMade } from './KeyMade';
import styles from './Keys.module.css';
import { revokeKey } from './keyActions';
import { keyColumns } from './keyColumns';
import { NewKeyDialog } from './NewKeyDialog';

/** The API keys of the service's own programs. */
export default function KeysScreen({ title }: { title: string }) {
  const list = useList(keysOptions);
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<AddedKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);

  return (
    <Page title={title} scroll="document">
      <ShortList
        nouns="keys"
        list={list}
        columns={keyColumns(setRevoking)}
        intro="Keys let other programs add users, purchases and claims. The audit log shows what each key did."
        beginning="Make one for your app. You get a command that adds a first user with it."
        add={
          <Button needs="keys.manage" onClick={() => setIsAdding(true)}>
            New key
          </Button>
        }
      />
      {isAdding && (
        <NewKeyDialog
          onAdded={(key) => {
            setIsAdding(false);
            setAdded(key);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {added && <KeyMade added={added} onClose={() => setAdded(null)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  );
}

interface RevokeDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

function RevokeDialog({ apiKey: { _id, name, prefix }, onClose }: RevokeDialogProps) {
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeKey(_id),
    onSuccess: onClose,
    onSettled: () => void client.invalidateQueries({ queryKey: keysOptions.queryKey }),
  });
  return (
    <Dialog
      title={`Revoke the key “${name}”?`}
      confirm={{
        label: 'Revoke',
        look: 'danger',
        isGrave: true,
        isBusy: revoking.isPending,
        onConfirm: () => revoking.mutate(),
      }}
      onClose={onClose}
      fields={
        revoking.error && (
          <div className={styles.problem}>
            <Alert tone="bad">
              <Lines lines={['The key may still work.', sentenceOf(revoking.error)]} />
            </Alert>
          </div>
        )
      }
    >
      <p>
        Calls with <span className="medium">{`${prefix}…`}</span> are refused from now on. This
        cannot be undone.
      </p>
    </Dialog>
  );
}
