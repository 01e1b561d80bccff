import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button';
import { JobButton, JobLine, JobLines } from '../../ui/JobLine';
import { BatchDialog } from './BatchDialog';
import { resumeBatch } from './batchActions';
import { type BatchJob, batchDesk, useBatchDesk } from './batchDesk';
import { type UnfinishedBatch, unfinishedOptions } from './batchesQuery';
import { detailOf, headlineOf, progressOf, stoppedHalfWay } from './batchWords';
import { DraftDialog } from './DraftDialog';

/** The batches of this admin: the one that is being asked for, those under way, and those that stopped half-way. */
export default function BatchDesk({ inert = false }: { inert?: boolean }) {
  const { draft, jobs, shown } = useBatchDesk();
  const stopped = useStopped(jobs);
  const lines = jobs.filter(({ id }) => id !== shown);
  const shownJob = jobs.find(({ id }) => id === shown);
  const told = [
    ...lines.map((job) => ({ key: job.id, sentence: `${headlineOf(job)}.` })),
    ...stopped.map(({ _id, outcome, count }) => ({
      key: _id,
      sentence: `${stoppedHalfWay(outcome.done, count)}.`,
    })),
  ];
  return (
    <>
      <JobLines label="Batches" inert={inert} told={told}>
        {stopped.map((batch) => (
          <StoppedLine key={batch._id} batch={batch} />
        ))}
        {lines.map((job) => (
          <BatchLine key={job.id} job={job} />
        ))}
      </JobLines>
      {draft && <DraftDialog draft={draft} />}
      {shownJob && !draft && <BatchDialog job={shownJob} />}
    </>
  );
}

function BatchLine({ job }: { job: BatchJob }) {
  const client = useQueryClient();
  const { id, phase, outcome } = job;
  const isOpen = phase === 'running' || phase === 'stopped';
  const hasNews = outcome.skipped + outcome.failed > 0 || phase === 'refused';
  const dismiss = () => batchDesk.dismiss(id);
  return (
    <JobLine
      headline={headlineOf(job)}
      detail={detailOf(job)}
      isBad={phase === 'stopped' || phase === 'refused'}
      progress={isOpen ? progressOf(job) : undefined}
      onPass={phase === 'ended' && !hasNews ? dismiss : undefined}
    >
      {phase === 'stopped' && (
        <Button size="row" onClick={() => resumeBatch(client, job)}>
          Resume
        </Button>
      )}
      {phase !== 'running' && hasNews && (
        <Button size="row" onClick={() => batchDesk.show(id)}>
          Show
        </Button>
      )}
      <JobButton
        does={phase === 'running' ? 'Show' : 'Dismiss'}
        headline={headlineOf(job)}
        onPress={phase === 'running' ? () => batchDesk.show(id) : dismiss}
      />
    </JobLine>
  );
}

function StoppedLine({ batch }: { batch: UnfinishedBatch }) {
  const client = useQueryClient();
  const { outcome, count } = batch;
  const resume = () => {
    resumeBatch(client, batch);
    batchDesk.show(batch._id);
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
    </JobLine>
  );
}

/** Unfinished ones that nobody works at: another window may have one in hand, and then fewer are left each time. */
function useStopped(jobs: readonly BatchJob[]): UnfinishedBatch[] {
  const { data, dataUpdatedAt } = useQuery(unfinishedOptions);
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
