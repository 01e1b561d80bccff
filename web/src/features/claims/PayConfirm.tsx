import { useState } from 'react';
import type { Claim, ClaimDetails } from '../../entities/claim/claim';
import { AnswerField } from '../../ui/AnswerField';
import { FormDialog } from '../../ui/FormDialog';
import { formatRupees } from '../../ui/rupees';
import { ClaimFacts } from './ClaimFacts';
import { changedTitle, notRecorded } from './claimNow';
import styles from './PayConfirm.module.css';

interface PayConfirmProps {
  claim: Claim;
  details: ClaimDetails | undefined;
  /** Whether the details could not be loaded. */
  isUninformed: boolean;
  /** How the claim has changed since the dialog opened, if it can no longer be paid. */
  change: string;
  needsReference: boolean;
  isBusy: boolean;
  /** The server's message about the reference. */
  problem: string | undefined;
  onConfirm: (reference: string) => void;
  onCancel: () => void;
}

const required = 'A payment needs its bank reference.';

export function PayConfirm(props: PayConfirmProps) {
  const { claim, details, change, isUninformed, needsReference, isBusy, problem } = props;
  const [reference, setReference] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const isCurrent = details?.claim.version === claim.version;
  const blocked = isCurrent && details.blocked.find(({ status }) => status === 'Paid')?.sentence;
  const why = change || blocked;

  const confirm = () => {
    const given = reference.trim();
    if (needsReference && !given) setIsMissing(true);
    else props.onConfirm(given);
  };

  return (
    <FormDialog
      title={change ? changedTitle : 'Mark as paid?'}
      confirmLabel="Paid Success"
      confirmKey="p"
      isGrave
      isSteady
      isOver={Boolean(why)}
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={props.onCancel}
      fields={
        (!why || reference) && (
          <AnswerField
            label={needsReference ? 'Bank reference (UTR)' : 'Bank reference (UTR), optional'}
            value={reference}
            onChange={(value) => {
              setReference(value);
              setIsMissing(false);
            }}
            problem={why ? undefined : isMissing ? required : problem}
            hint={why ? notRecorded : undefined}
            isRequired={needsReference}
            // A required reference has the initial focus; otherwise Cancel has it.
            isFirst={needsReference}
            isReadOnly={isBusy || Boolean(why)}
            maxLength={60}
          />
        )
      }
    >
      {why && (
        <p role="alert" className={styles.change}>
          {why}
        </p>
      )}
      {details && !change && (
        <div className={styles.facts}>
          <ClaimFacts details={details} />
        </div>
      )}
      {isUninformed && <p className={styles.note}>Facts about this claim could not be loaded.</p>}
      <p>{`${claim.user.username} · ${claim.user.mobile}`}</p>
      <p className={styles.account}>{`Account ${claim.accountNo} · IFSC ${claim.ifsc}`}</p>
      {claim.bank.name && <p className={styles.bank}>{claim.bank.name}</p>}
      {claim.bank.note && <p className={styles.note}>{claim.bank.note}</p>}
      <p className={styles.amount}>{formatRupees(claim.amount)}</p>
      {!why && <p className={styles.warning}>This cannot be undone.</p>}
    </FormDialog>
  );
}
