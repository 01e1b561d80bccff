import { useQueryClient } from '@tanstack/react-query';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/dialog/Dialog';
import { ProgressBar } from '../../ui/ProgressBar';
import styles from './Batches.module.css';
import { notMovedCount, planAgain, readProblems, resumeBatch, retryBatch } from './batchActions';
import { type BatchJob, batchStore } from './batchStore';
import { detailOf, headlineOf, progressOf } from './batchTexts';
import { restoreFocus } from './restoreFocus';
import { ProblemList } from './SheetLists';

/** A running batch, and then its result. After it is closed, it continues as a line below the screen. */
export function BatchDialog({ job }: { job: BatchJob }) {
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
    return <Button onClick={() => planAgain(job)}>Check again</Button>;
  if (phase === 'ended' && notMovedCount(job) > 0) {
    return <Button onClick={() => retryBatch(job)}>Retry these…</Button>;
  }
  return null;
}

function Progress({ job }: { job: BatchJob }) {
  return (
    <div className={styles.progress}>
      <ProgressBar label={headlineOf(job)} {...progressOf(job)} />
      <p className={styles.figures}>{detailOf(job)}</p>
      {job.phase === 'running' && (
        <p className={styles.note}>You can close this. It continues while this page is open.</p>
      )}
    </div>
  );
}

function Result({ job }: { job: BatchJob }) {
  const { id, sheet, trouble } = job;
  if (notMovedCount(job) === 0) return <p>Nothing is left to do.</p>;
  if (sheet) return <ProblemList problems={sheet.problems} />;
  return (
    <Alert tone="bad" action={<Button onClick={() => void readProblems(id)}>Retry</Button>}>
      <p>The claims that did not move could not be loaded.</p>
      <p>{trouble}</p>
    </Alert>
  );
}
