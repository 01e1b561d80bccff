import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFirstReadsDue, useHasUnfinishedBatch } from '../../api/live';
import { Button } from '../../ui/Button';
import { JobButton, JobLine, JobLines } from '../../ui/notices/JobLine';
import { BatchDialogs } from './BatchDialogs';
import {
  askToLeave,
  dismissBatch,
  notMovedCount,
  resumeBatch,
  undoBatch,
  unfinishedOptions,
} from './batchActions';
import { type BatchJob, batchStore, type UnfinishedBatch, useBatches } from './batchStore';
import { detailOf, headlineOf, progressOf, stoppedHalfWay } from './batchTexts';
import { restoreFocus } from './restoreFocus';

/** The batches of this admin: the one being prepared, the running ones, and those that stopped half-way. */
export function Batches({ inert = false }: { inert?: boolean }) {
  const { draft, jobs, shown, leaving } = useBatches();
  const stopped = useStopped(jobs);
  useWarning(jobs.some(({ phase }) => phase === 'running'));
  const lines = jobs.filter(({ id }) => id !== shown);
  const shownJob = jobs.find(({ id }) => id === shown);
  const hasNothingToRead = shownJob?.phase === 'ended' && notMovedCount(shownJob) === 0;
  // Its line says that it is done, and goes away by itself.
  useEffect(() => {
    if (!hasNothingToRead) return;
    batchStore.show(null);
    restoreFocus();
  }, [hasNothingToRead]);
  const openJob = hasNothingToRead ? undefined : shownJob;
  const announcements = [
    ...lines.map((job) => ({ key: job.id, sentence: headlineOf(job).replace(/[^.]$/, '$&.') })),
    ...stopped.map(({ _id, outcome, count }) => ({
      key: _id,
      sentence: `${stoppedHalfWay(outcome.done, count)}.`,
    })),
  ];
  return (
    <>
      <JobLines label="Batches" inert={inert} announcements={announcements}>
        {stopped.map((batch) => (
          <StoppedLine key={batch._id} batch={batch} />
        ))}
        {lines.map((job) => (
          <BatchLine key={job.id} job={job} />
        ))}
      </JobLines>
      {(draft || openJob || leaving) && (
        <BatchDialogs draft={draft} shownJob={openJob} leaving={leaving} />
      )}
    </>
  );
}

function BatchLine({ job }: { job: BatchJob }) {
  const client = useQueryClient();
  const { id, phase, undoTrouble } = job;
  const isOpen = phase === 'running' || phase === 'stopped';
  const hasProblems = notMovedCount(job) > 0 || phase === 'refused';
  const dismiss = () => dismissBatch(id);
  const [label, onPress] =
    phase === 'running'
      ? ['Show', () => batchStore.show(id)]
      : // If it were only dismissed, the next poll of the unfinished batches would bring it back.
        phase === 'stopped'
        ? ['Leave it', () => askToLeave(job)]
        : ['Dismiss', dismiss];
  return (
    <JobLine
      headline={headlineOf(job)}
      detail={detailOf(job)}
      isBad={phase === 'stopped' || phase === 'refused' || Boolean(undoTrouble)}
      progress={isOpen ? progressOf(job) : undefined}
      onExpire={phase === 'ended' && !hasProblems && !undoTrouble ? dismiss : undefined}
    >
      {phase === 'stopped' && (
        <Button size="row" onClick={() => resumeBatch(client, job)}>
          Resume
        </Button>
      )}
      {phase !== 'running' && hasProblems && (
        <Button size="row" onClick={() => batchStore.show(id)}>
          Show
        </Button>
      )}
      {phase === 'ended' && job.canUndo && (
        <Button size="row" onClick={() => void undoBatch(client, job)}>
          Undo
        </Button>
      )}
      <JobButton label={label} headline={headlineOf(job)} onPress={onPress} />
    </JobLine>
  );
}

function StoppedLine({ batch }: { batch: UnfinishedBatch }) {
  const client = useQueryClient();
  const { outcome, count } = batch;
  const resume = () => {
    resumeBatch(client, batch);
    batchStore.show(batch._id);
  };
  return (
    <JobLine
      headline={stoppedHalfWay(outcome.done, count)}
      detail={`${batch.status} · resuming moves no claim twice.`}
      progress={{ done: count - outcome.left, of: count }}
    >
      <Button size="row" look="filled" onClick={resume}>
        Resume
      </Button>
      <JobButton
        label="Leave it"
        headline={stoppedHalfWay(outcome.done, count)}
        onPress={() => askToLeave(batch)}
      />
    </JobLine>
  );
}

/** A batch runs only while its page is open, so the browser asks before it leaves the page. */
function useWarning(isRunning: boolean) {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isRunning]);
}

/** Unfinished batches that make no progress. If fewer claims are left than before, another window runs the batch. */
function useStopped(jobs: readonly BatchJob[]): UnfinishedBatch[] {
  const isDue = useFirstReadsDue();
  const mayHaveOne = useHasUnfinishedBatch() || jobs.length > 0;
  const { data, dataUpdatedAt } = useQuery({ ...unfinishedOptions, enabled: isDue && mayHaveOne });
  const before = useRef({ at: 0, left: new Map<string, number>() });
  const [still, setStill] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!data || before.current.at === dataUpdatedAt) return;
    const { left } = before.current;
    setStill(
      data.filter(({ _id, outcome }) => left.get(_id) === outcome.left).map(({ _id }) => _id),
    );
    before.current = {
      at: dataUpdatedAt,
      left: new Map(data.map(({ _id, outcome }) => [_id, outcome.left])),
    };
  }, [data, dataUpdatedAt]);
  return (data ?? []).filter(
    ({ _id }) => still.includes(_id) && !jobs.some(({ id }) => id === _id),
  );
}
