import { useEffect } from 'react';
import { useStore } from '../../api/store';
import { Button } from '../../ui/Button';
import { JobButton, JobLine, JobLines } from '../../ui/notices/JobLine';
import {
  type ExportJob,
  exportAgain,
  exportJobs,
  findExports,
  isEnded,
  rememberedExports,
  stopExport,
} from './exportJobs';
import { detailOf, headlineOf } from './exportTexts';

export function ExportProgress({ inert = false }: { inert?: boolean }) {
  const jobs = useStore(exportJobs);
  useEffect(() => {
    if (rememberedExports.ids().length > 0) void findExports();
  }, []);
  const announcements = jobs.map((job) => ({
    key: job.id,
    sentence: `${headlineOf(job)}. ${isEnded(job) ? detailOf(job) : ''}`,
  }));
  return (
    <JobLines label="Exports" inert={inert} announcements={announcements}>
      {jobs.map((job) => (
        <ExportLine key={job.id} job={job} />
      ))}
    </JobLines>
  );
}

function ExportLine({ job }: { job: ExportJob }) {
  const { id, phase, rowsWritten, rowsTotal } = job;
  const isExpiring = phase === 'done' || phase === 'cancelled';
  const isBad = phase === 'failed' || phase === 'refused' || phase === 'expired';
  return (
    <JobLine
      headline={headlineOf(job)}
      detail={detailOf(job)}
      isBad={isBad}
      progress={isEnded(job) ? undefined : { done: rowsWritten, of: rowsTotal }}
      onExpire={isExpiring ? () => exportJobs.dismiss(id) : undefined}
    >
      {isBad && (
        <Button size="row" onClick={() => exportAgain(job)}>
          Export again
        </Button>
      )}
      {phase !== 'asking' && (
        <JobButton
          label={isEnded(job) ? 'Dismiss' : 'Cancel'}
          headline={headlineOf(job)}
          isBusy={!isEnded(job) && job.isCancelling === true}
          onPress={() => (isEnded(job) ? exportJobs.dismiss(id) : void stopExport(job))}
        />
      )}
    </JobLine>
  );
}
