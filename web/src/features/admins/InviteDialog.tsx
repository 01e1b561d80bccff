import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { RefusedError, sentenceOf } from '../../api/errors';
import { adminsOptions, type Role, roleNames } from '../../entities/admin/admin';
import { Dialog } from '../../ui/dialog/Dialog';
import { AnswerField } from '../../ui/form/AnswerField';
import { Alert, Lines } from '../../ui/notices/Alert';
import styles from './AdminsScreen.module.css';
import { type Invitation, inviteAdmin } from './adminActions';

const does: Readonly<Record<Role, string>> = {
  owner: 'Everything, admins and settings included.',
  payer: 'Accepts, pays, holds, rejects and returns claims.',
  reviewer: 'Accepts, holds and rejects claims; never pays.',
  'qr-manager': 'Uploads, displays and deletes QR codes.',
  viewer: 'Reads, with masked account and mobile numbers.',
  auditor: 'Reads everything, the audit log included; changes nothing.',
};

interface InviteDialogProps {
  onInvited: (made: Invitation) => void;
  onClose: () => void;
}

export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('reviewer');
  const [isMissing, setIsMissing] = useState(false);
  const group = useId();
  const inviting = useMutation({
    mutationFn: () => inviteAdmin(name.trim(), role),
    onSuccess: onInvited,
    onSettled: () => void client.invalidateQueries({ queryKey: adminsOptions.queryKey }),
  });
  const refusal =
    inviting.error instanceof RefusedError ? inviting.error.fields.username : undefined;
  const confirm = () => {
    inviting.reset();
    setIsMissing(!name.trim());
    if (name.trim()) inviting.mutate();
  };
  return (
    <Dialog
      title="Invite an admin"
      isWide
      confirm={{ label: 'Make link', isBusy: inviting.isPending, onConfirm: confirm }}
      onClose={onClose}
      fields={
        <>
          <AnswerField
            label="Username"
            value={name}
            onChange={setName}
            problem={isMissing ? 'Enter the name they will log in with.' : refusal}
            hint="Shown in the audit log."
            isRequired
            isFirst
            isAddress
            isReadOnly={inviting.isPending}
            maxLength={100}
          />
          <fieldset className={styles.roles}>
            <legend>Role</legend>
            {(Object.keys(roleNames) as Role[]).map((one) => (
              <label key={one} className={styles.role}>
                <input
                  type="radio"
                  name={group}
                  checked={one === role}
                  onChange={() => setRole(one)}
                />
                <span>
                  <span className="medium">{roleNames[one]}</span>
                  <span className={styles.does}>{does[one]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {inviting.error && !refusal && (
            <Alert tone="bad">
              <Lines lines={[sentenceOf(inviting.error)]} />
            </Alert>
          )}
        </>
      }
    >
      <p className="quiet">You get a link. They set their own password with it, within a day.</p>
    </Dialog>
  );
}
