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
  /** Where the move begins. */
  from: ClaimStatus;
  target: ClaimStatus;
  /** What has become of the claim since it was asked about, where that is too late to move it. */
  change: string;
  isBusy: boolean;
  /** What the server says about the reason. */
  problem: string | undefined;
  onConfirm: (reason: string) => void;
  onCancel: () => void;
}

const missing = 'Say why: the next admin will read it.';

/** Asks why. The reason stands in the claim's timeline for good. */
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
