import { useState } from 'react';
import { AnswerField } from '../../ui/AnswerField';
import { FormDialog } from '../../ui/FormDialog';
import { formatRupees } from '../../ui/rupees';
import { changedTitle, notRecorded } from './claimNow';
import type { Claim, ClaimStatus } from './claimsQuery';
import { wordsOf } from './moveWords';
import styles from './PayConfirm.module.css';

interface MoveDialogProps {
  claim: Claim;
  /** The status that the move starts from. */
  from: ClaimStatus;
  target: ClaimStatus;
  /** How the claim has changed since the dialog opened, if it can no longer be moved. */
  change: string;
  isBusy: boolean;
  /** The server's message about the reason. */
  problem: string | undefined;
  onConfirm: (reason: string) => void;
  onCancel: () => void;
}

const missing = 'Say why: the next admin will read it.';

/** Asks for a reason, which stays in the claim's timeline permanently. */
export function MoveDialog(props: MoveDialogProps) {
  const { claim, from, target, change, isBusy, problem, onConfirm, onCancel } = props;
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const words = wordsOf(from, target);

  const confirm = () => {
    const given = reason.trim();
    if (given) onConfirm(given);
    else setIsMissing(true);
  };

  return (
    <FormDialog
      title={change ? changedTitle : (words?.question ?? target)}
      confirmLabel={words?.confirm ?? target}
      isSteady
      isOver={Boolean(change)}
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onCancel}
      fields={
        (!change || reason) && (
          <AnswerField
            label="Reason"
            value={reason}
            onChange={(value) => {
              setReason(value);
              setIsMissing(false);
            }}
            problem={change ? undefined : isMissing ? missing : problem}
            hint={change ? notRecorded : undefined}
            isRequired
            isLong
            isFirst
            isReadOnly={isBusy || Boolean(change)}
            maxLength={500}
          />
        )
      }
    >
      {change && (
        <p role="alert" className={styles.change}>
          {change}
        </p>
      )}
      <p>{`${claim.user.username} · ${claim.user.mobile}`}</p>
      <p className={styles.amount}>{formatRupees(claim.amount)}</p>
    </FormDialog>
  );
}
