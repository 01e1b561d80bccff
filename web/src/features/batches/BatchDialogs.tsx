import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors';
import { Button } from '../../ui/Button';
import { AnswerDialog, reasonAnswer } from '../../ui/dialog/AnswerDialog';
import { Dialog } from '../../ui/dialog/Dialog';
import { Alert, Lines, LoadFailure } from '../../ui/notices/Alert';
import { ProgressBar } from '../../ui/notices/ProgressBar';
import { countOf } from '../../ui/text/rupees';
import { Skeleton } from '../../ui/text/Skeleton';
import styles from './Batches.module.css';
import {
  confirmBatch,
  leaveBatch,
  notMovedCount,
  planAgain,
  readProblems,
  resumeBatch,
} from './batchActions';
import { askForSheet } from './batchPlans';
import {
  type BatchJob,
  batchStore,
  type Confirmation,
  type Draft,
  type Sheet,
  type Target,
} from './batchStore';
import { detailOf, headlineOf, leavingTexts, progressOf } from './batchTexts';
import { restoreFocus } from './restoreFocus';
import { ProblemList, SheetLists } from './SheetLists';
import { SheetDialog } from './sheet/SheetDialog';

interface BatchDialogsProps {
  draft: Draft | null;
  shownJob: BatchJob | undefined;
  leaving: BatchJob | null;
}

/** The dialogs of batches. They are loaded when they are first needed. */
export function BatchDialogs({ draft, shownJob, leaving }: BatchDialogsProps) {
  return (
    <>
      {draft && <DraftDialog draft={draft} />}
      {shownJob && !draft && <BatchDialog job={shownJob} />}
      {leaving && <LeaveDialog job={leaving} />}
    </>
  );
}

const cancel = () => batchStore.setDraft(null);

/** From the first click to the confirmation. Each phase is a separate dialog, which ignores a hasty second click. */
function DraftDialog({ draft }: { draft: Draft }) {
  const client = useQueryClient();
  const { phase, plan, target, sheet, canRetry } = draft;
  const shared = { isWide: true, onClose: cancel };
  if (phase === 'reason') {
    return (
      <AnswerDialog
        key="reason"
        title={target === 'Rejected' ? 'Why reject these claims?' : 'Why put these claims on hold?'}
        answer={reasonAnswer}
        confirmLabel="Show what will move"
        onConfirm={(reason) => void askForSheet({ ...draft, plan: { ...plan, reason } })}
        onClose={cancel}
      >
        <p>It stays on each claim's timeline permanently.</p>
      </AnswerDialog>
    );
  }
  if (sheet?.willMove.count === 0) return <NothingToMove target={target} sheet={sheet} />;
  if (sheet) {
    const confirm = (given: Confirmation) => confirmBatch(client, draft, sheet, given);
    return <SheetDialog key={sheet._id} draft={draft} sheet={sheet} onConfirm={confirm} />;
  }
  if (phase === 'failed') {
    return (
      <Dialog
        {...shared}
        key="failed"
        title={canRetry ? "Couldn't prepare the summary" : 'These claims cannot be moved'}
        closeLabel={canRetry ? 'Cancel' : 'Close'}
        action={
          canRetry && (
            <Button look="filled" onClick={() => void askForSheet(draft)}>
              Retry
            </Button>
          )
        }
        fields={
          <Alert tone="bad">
            <Lines lines={[...(draft.trouble ?? []), 'Nothing was moved.']} />
          </Alert>
        }
      />
    );
  }
  return (
    <Dialog
      {...shared}
      key="planning"
      title="Checking the claims…"
      closeLabel="Cancel"
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

function NothingToMove({ target, sheet }: { target: Target; sheet: Sheet }) {
  return (
    <Dialog
      isWide
      onClose={cancel}
      fields={<SheetLists sheet={sheet} />}
      title="None of these claims can move"
    >
      <p>{`${countOf(sheet.count, 'claim')} chosen, and none can become ${target}:`}</p>
    </Dialog>
  );
}

/** A running batch, and then its result. After it is closed, it continues as a line below the screen. */
function BatchDialog({ job }: { job: BatchJob }) {
  const { id, phase } = job;
  const close = () => {
    if (phase === 'ended' || phase === 'refused') batchStore.dismiss(id);
    else batchStore.show(null);
    restoreFocus();
  };
  return (
    <Dialog
      title={headlineOf(job)}
      isWide
      action={<NextStep job={job} />}
      onClose={close}
      fields={
        <>
          <p role="status" className="visually-hidden">
            {phase === 'running' ? '' : headlineOf(job)}
          </p>
          {phase === 'running' || phase === 'stopped' ? (
            <Progress job={job} />
          ) : phase === 'refused' ? (
            <Alert tone="bad">{job.trouble}</Alert>
          ) : (
            <Result job={job} />
          )}
        </>
      }
    />
  );
}

function NextStep({ job }: { job: BatchJob }) {
  const client = useQueryClient();
  const { phase, plan } = job;
  if (phase === 'stopped') {
    return (
      <Button look="filled" onClick={() => resumeBatch(client, job)}>
        Resume
      </Button>
    );
  }
  if (phase === 'refused' && plan)
    return <Button onClick={() => planAgain(job, plan)}>Check again</Button>;
  const canRetry = phase === 'ended' && notMovedCount(job) > 0;
  return canRetry && <Button onClick={() => planAgain(job)}>Retry these…</Button>;
}

function Progress({ job }: { job: BatchJob }) {
  return (
    <div className="stack">
      <ProgressBar label={headlineOf(job)} {...progressOf(job)} />
      <p className="figures">{detailOf(job)}</p>
      {job.phase === 'running' && (
        <p className="small quiet">You can close this. It continues while this page is open.</p>
      )}
    </div>
  );
}

function Result({ job }: { job: BatchJob }) {
  const { id, sheet, trouble } = job;
  if (sheet) return <ProblemList problems={sheet.problems} />;
  return (
    <LoadFailure
      lines={['The claims that did not move could not be loaded.', trouble ?? '']}
      onRetry={() => void readProblems(id)}
    />
  );
}

function LeaveDialog({ job }: { job: BatchJob }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => leaveBatch(client, job),
    onSuccess: restoreFocus,
  });
  return (
    <Dialog
      title="Leave this batch half done?"
      confirm={{ label: 'Leave it', isGrave: true, isBusy: isPending, onConfirm: mutate }}
      onClose={() => batchStore.setLeaving(null)}
      fields={error && <Alert tone="bad">{sentenceOf(error)}</Alert>}
    >
      <Lines lines={leavingTexts(job)} />
    </Dialog>
  );
}
