import { useQueryClient } from '@tanstack/react-query';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { AnswerDialog, reasonAnswer } from '../../ui/dialog/AnswerDialog';
import { Dialog } from '../../ui/dialog/Dialog';
import { countOf } from '../../ui/rupees';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Batches.module.css';
import { askForSheet, confirmBatch } from './batchActions';
import type { Sheet } from './batchesQuery';
import { batchStore, type Draft } from './batchStore';
import { actionText, shortRupees } from './batchTexts';
import { SheetLists, SheetSum } from './SheetLists';

const cancel = () => batchStore.setDraft(null);

/** From the first click to the confirmation. Each phase is a separate dialog, which ignores a hasty second click. */
export function DraftDialog({ draft }: { draft: Draft }) {
  const { phase, sheet } = draft;
  if (phase === 'reason') return <ReasonDialog key="reason" draft={draft} />;
  if (sheet) return <SheetDialog key={sheet._id} draft={draft} sheet={sheet} />;
  if (phase === 'failed') return <FailedDialog key="failed" draft={draft} />;
  return (
    <Dialog
      key="planning"
      title="Checking the claims…"
      isWide
      closeLabel="Cancel"
      onClose={cancel}
      fields={
        <div className={styles.waiting} aria-hidden="true">
          <Skeleton width="45%" />
          <Skeleton width="70%" />
          <Skeleton width="60%" />
        </div>
      }
    />
  );
}

function ReasonDialog({ draft }: { draft: Draft }) {
  const isRejection = draft.target === 'Rejected';
  return (
    <AnswerDialog
      title={isRejection ? 'Why reject these claims?' : 'Why put these claims on hold?'}
      answer={reasonAnswer}
      confirmLabel="Show what will move"
      onConfirm={(reason) => void askForSheet({ ...draft, plan: { ...draft.plan, reason } })}
      onClose={cancel}
    >
      <p>It stays in the timeline of each claim permanently.</p>
    </AnswerDialog>
  );
}

function FailedDialog({ draft }: { draft: Draft }) {
  const { canRetry } = draft;
  return (
    <Dialog
      isWide
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
      fields={
        <Alert tone="bad">
          {draft.trouble?.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p>Nothing was moved.</p>
        </Alert>
      }
    />
  );
}

function SheetDialog({ draft, sheet }: { draft: Draft; sheet: Sheet }) {
  const client = useQueryClient();
  const { target } = draft;
  const { count, amount } = sheet.willMove;
  if (count === 0) {
    return (
      <Dialog
        title="None of these claims can move"
        isWide
        onClose={cancel}
        fields={<SheetLists sheet={sheet} />}
      >
        <p>{`${countOf(sheet.count, 'claim')} chosen, and none can become ${target}:`}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`${actionText(target, count)}?`}
      isWide
      confirm={{
        label: `${actionText(target, count)} · ${shortRupees(amount)}`,
        isGrave: true,
        onConfirm: () => confirmBatch(client, draft, sheet),
      }}
      onClose={cancel}
      fields={<SheetLists sheet={sheet} />}
    >
      <SheetSum sheet={sheet} />
    </Dialog>
  );
}
