import { useState } from 'react';
import type { Claim, Move } from '../../entities/claim/claim';
import { AnswerField } from '../../ui/AnswerField';
import { FormDialog } from '../../ui/FormDialog';
import { formatRupees } from '../../ui/rupees';
import { questionOf } from './actions';
import { changedTitle, notRecorded } from './claimNow';
import styles from './PayConfirm.module.css';

interface MoveDialogProps {
  claim: Claim;
  move: Move;
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
  const { claim, move, change, isBusy, problem, onConfirm, onCancel } = props;
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);

  const confirm = () => {
    const given = reason.trim();
    if (given) onConfirm(given);
    else setIsMissing(true);
  };

  return (
    <FormDialog
      title={change ? changedTitle : (questionOf[move.to] ?? move.label)}
      confirmLabel={move.label}
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
