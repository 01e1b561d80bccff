import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentencesOf } from '../../../api/errors';
import { NoPasskeyError } from '../../../api/passkeys';
import { Dialog } from '../../../ui/dialog/Dialog';
import { Alert, Lines } from '../../../ui/notices/Alert';
import styles from './Account.module.css';

interface ChangeDialogProps<Answer> {
  title: string;
  confirmLabel: string;
  isDangerous?: boolean;
  /** Why it cannot be sent yet, as a sentence; undefined if it can. */
  missing?: string | undefined;
  change: () => Promise<Answer>;
  onChanged: (answer: Answer) => void;
  onClose: () => void;
  children?: ReactNode;
  fields?: ReactNode;
}

/** Asks before a change of the account, and says why it was refused. */
export function ChangeDialog<Answer>(props: ChangeDialogProps<Answer>) {
  const changing = useMutation({
    mutationFn: async () => {
      if (props.missing) throw new MissingError(props.missing);
      return props.change();
    },
    onSuccess: props.onChanged,
  });
  const { error } = changing;
  const isOwnWord = error instanceof NoPasskeyError || error instanceof MissingError;
  return (
    <Dialog
      title={props.title}
      confirm={{
        label: props.confirmLabel,
        look: props.isDangerous ? 'danger' : 'filled',
        isGrave: props.isDangerous ?? false,
        isBusy: changing.isPending,
        onConfirm: () => changing.mutate(),
      }}
      onClose={props.onClose}
      fields={
        <div className={styles.fields}>
          {props.fields}
          {error && (
            <Alert tone="bad">
              <Lines lines={isOwnWord ? [error.message] : sentencesOf(error)} />
            </Alert>
          )}
        </div>
      }
    >
      {props.children}
    </Dialog>
  );
}

class MissingError extends Error {}
