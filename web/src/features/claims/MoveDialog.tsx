import { useState } from 'react';
import { AnswerField } from '../../ui/AnswerField';
import { FormDialog } from '../../ui/FormDialog';
import { formatRupees } from '../../ui/rupees';
import type { Claim, ClaimStatus } from './claimsQuery';
import { wordsOf } from './moveWords';
import styles from './PayConfirm.module.css';

interface MoveDialogProps {
  claim: Claim;
  target: ClaimStatus;
  isBusy: boolean;
  /** What the server says about the reason. */
  problem: string | undefined;
  onConfirm: (reason: string) => void;
  onCancel: () => void;
}

const missing = 'Say why: the next admin will read it.';

/** Asks why. The reason stands in the claim's timeline for good. */
export function MoveDialog(props: MoveDialogProps) {
  const { claim, target, isBusy, problem, onConfirm, onCancel } = props;
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const words = wordsOf(claim.status, target);

  const confirm = () => {
    const given = reason.trim();
    if (given) onConfirm(given);
    else setIsMissing(true);
  };

  return (
    <FormDialog
      title={words?.question ?? target}
      confirmLabel={words?.confirm ?? target}
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onCancel}
      fields={
        <AnswerField
          label="Reason"
          value={reason}
          onChange={(value) => {
            setReason(value);
            setIsMissing(false);
          }}
          problem={isMissing ? missing : problem}
          isRequired
          isLong
          isFirst
          isReadOnly={isBusy}
          maxLength={500}
        />
      }
    >
      <p>{`${claim.user.username} · ${claim.user.mobile}`}</p>
      <p className={styles.amount}>{formatRupees(claim.amount)}</p>
    </FormDialog>
  );
}
