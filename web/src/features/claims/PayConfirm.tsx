import { useState } from 'react';
import { AnswerField } from '../../ui/AnswerField';
import { FormDialog } from '../../ui/FormDialog';
import { formatRupees } from '../../ui/rupees';
import type { Claim } from './claimsQuery';
import styles from './PayConfirm.module.css';

interface PayConfirmProps {
  claim: Claim;
  needsReference: boolean;
  isBusy: boolean;
  /** What the server says about the reference. */
  problem: string | undefined;
  onConfirm: (reference: string) => void;
  onCancel: () => void;
}

const required = 'A payment needs its bank reference.';

export function PayConfirm(props: PayConfirmProps) {
  const { claim, needsReference, isBusy, problem, onConfirm, onCancel } = props;
  const [reference, setReference] = useState('');
  const [isMissing, setIsMissing] = useState(false);

  const confirm = () => {
    const given = reference.trim();
    if (needsReference && !given) setIsMissing(true);
    else onConfirm(given);
  };

  return (
    <FormDialog
      title="Mark as paid?"
      confirmLabel="Paid Success"
      confirmKey="p"
      isGrave
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onCancel}
      fields={
        <AnswerField
          label={needsReference ? 'Bank reference (UTR)' : 'Bank reference (UTR), optional'}
          value={reference}
          onChange={(value) => {
            setReference(value);
            setIsMissing(false);
          }}
          problem={isMissing ? required : problem}
          isRequired={needsReference}
          // Without it nothing can be paid; else the first focus is on Cancel.
          isFirst={needsReference}
          isReadOnly={isBusy}
          maxLength={60}
        />
      }
    >
      <p>{`${claim.user.username} · ${claim.user.mobile}`}</p>
      <p className={styles.account}>{`Account ${claim.accountNo} · IFSC ${claim.ifsc}`}</p>
      {claim.bank.name && <p className={styles.bank}>{claim.bank.name}</p>}
      {claim.bank.note && <p className={styles.note}>{claim.bank.note}</p>}
      <p className={styles.amount}>{formatRupees(claim.amount)}</p>
      <p className={styles.warning}>This cannot be undone.</p>
    </FormDialog>
  );
}
