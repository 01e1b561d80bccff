import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Alert } from '../../ui/Alert';
import { AnswerField } from '../../ui/AnswerField';
import { Button } from '../../ui/Button';
import { FormDialog } from '../../ui/FormDialog';
import { PlainDialog } from '../../ui/PlainDialog';
import { countOf } from '../../ui/rupees';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Batches.module.css';
import { askForSheet, confirmBatch } from './batchActions';
import { batchDesk, type Draft } from './batchDesk';
import type { Sheet } from './batchesQuery';
import { doesWhat, shortRupees } from './batchWords';
import { SheetLists, SheetSum } from './SheetParts';

const cancel = () => batchDesk.setDraft(null);

/** From the first click to the confirmation. Each phase is a separate dialog, which ignores a hasty second click. */
export function DraftDialog({ draft }: { draft: Draft }) {
  const { phase, sheet } = draft;
  if (phase === 'reason') return <ReasonDialog key="reason" draft={draft} />;
  if (sheet) return <SheetDialog key={sheet._id} draft={draft} sheet={sheet} />;
  if (phase === 'failed') return <FailedDialog key="failed" draft={draft} />;
  return (
    <PlainDialog key="planning" title="Checking the claims…" closeLabel="Cancel" onClose={cancel}>
      <div className={styles.waiting} aria-hidden="true">
        <Skeleton width="45%" />
        <Skeleton width="70%" />
        <Skeleton width="60%" />
      </div>
    </PlainDialog>
  );
}

function ReasonDialog({ draft }: { draft: Draft }) {
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const ask = () => {
    const given = reason.trim();
    if (given) void askForSheet({ ...draft, plan: { ...draft.plan, reason: given } });
    else setIsMissing(true);
  };
  return (
    <FormDialog
      title={
        draft.target === 'Rejected' ? 'Why reject these claims?' : 'Why put these claims on hold?'
      }
      confirmLabel="Show what will move"
      isBusy={false}
      onConfirm={ask}
      onCancel={cancel}
      fields={
        <AnswerField
          label="Reason"
          value={reason}
          onChange={(value) => {
            setReason(value);
            setIsMissing(false);
          }}
          {...(isMissing && { problem: 'Say why: the next admin will read it.' })}
          isRequired
          isLong
          isFirst
          maxLength={500}
        />
      }
    >
      <p>It stays in the timeline of each claim permanently.</p>
    </FormDialog>
  );
}

function FailedDialog({ draft }: { draft: Draft }) {
  const { canRetry } = draft;
  return (
    <PlainDialog
      title={canRetry ? 'The preview did not load' : 'These claims cannot be moved like this'}
      closeLabel={canRetry ? 'Cancel' : 'Close'}
      action={
        canRetry && (
          <Button look="filled" onClick={() => void askForSheet(draft)}>
            Retry
          </Button>
        )
      }
      onClose={cancel}
    >
      <Alert tone="bad">
        {draft.trouble?.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>Nothing was moved.</p>
      </Alert>
    </PlainDialog>
  );
}

function SheetDialog({ draft, sheet }: { draft: Draft; sheet: Sheet }) {
  const client = useQueryClient();
  const { target } = draft;
  const { count, amount } = sheet.willMove;
  if (count === 0) {
    return (
      <PlainDialog title="None of these claims can move" onClose={cancel}>
        <p>{`${countOf(sheet.count, 'claim')} chosen, and none can become ${target}:`}</p>
        <SheetLists sheet={sheet} />
      </PlainDialog>
    );
  }
  return (
    <FormDialog
      title={`${doesWhat(target, count)}?`}
      confirmLabel={`${doesWhat(target, count)} · ${shortRupees(amount)}`}
      isGrave
      isWide
      isBusy={false}
      onConfirm={() => confirmBatch(client, draft, sheet)}
      onCancel={cancel}
      fields={<SheetLists sheet={sheet} />}
    >
      <SheetSum sheet={sheet} />
    </FormDialog>
  );
}
