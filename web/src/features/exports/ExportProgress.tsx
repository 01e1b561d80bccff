import { type RefObject, useEffect, useRef } from 'react';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { CloseIcon } from '../../ui/icons/CloseIcon';
import styles from './ExportProgress.module.css';
import { exportAgain, stopExport } from './exportActions';
import { type ExportJob, exportJobs, isEnded, useExportJobs } from './exportJobs';
import { detailOf, headlineOf } from './exportWords';

const lingerMilliseconds = 8_000;

/** How the exports are doing: a line below every screen, so that it covers no row and no button. */
export function ExportProgress({ inert = false }: { inert?: boolean }) {
  const jobs = useExportJobs();
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} aria-label="Exports" inert={inert} className={styles.exports}>
      {/* There from the start, or the first words would not be heard; without the figures, which would never stop. */}
      <div role="status" className="visually-hidden">
        {jobs.map((job) => (
          <p key={job.key}>{`${headlineOf(job)}. ${isEnded(job) ? detailOf(job) : ''}`}</p>
        ))}
      </div>
      {jobs.map((job) => (
        <JobLine key={job.key} job={job} section={section} />
      ))}
    </section>
  );
}

interface JobLineProps {
  job: ExportJob;
  section: RefObject<HTMLElement | null>;
}

function JobLine({ job, section }: JobLineProps) {
  const { key, phase } = job;
  const isPassing = phase === 'done' || phase === 'cancelled';
  const isBad = phase === 'failed' || phase === 'refused' || phase === 'expired';

  useEffect(() => {
    if (!isPassing) return;
    const timer = setInterval(() => {
      if (!isBeingRead(section.current)) exportJobs.dismiss(key);
    }, lingerMilliseconds);
    return () => clearInterval(timer);
  }, [isPassing, key, section]);

  return (
    <div className={classes(styles.job, isBad && styles.bad)}>
      <p className={styles.headline}>{headlineOf(job)}</p>
      {isEnded(job) ? null : (
        <progress
          aria-label={headlineOf(job)}
          className={styles.bar}
          {...(job.rowsTotal ? { max: job.rowsTotal, value: job.rowsWritten } : {})}
        />
      )}
      <p className={styles.detail}>{detailOf(job)}</p>
      <div className={styles.buttons}>
        {isBad && (
          <Button size="row" onClick={() => void exportAgain(job)}>
            Export again
          </Button>
        )}
        <LastButton job={job} />
      </div>
    </div>
  );
}

/** One button that cancels and later dismisses, so that the focus on it outlives the export. */
function LastButton({ job }: { job: ExportJob }) {
  if (job.phase === 'asking') return null;
  const hasEnded = isEnded(job);
  return (
    <Button
      look={hasEnded ? 'icon' : 'quiet'}
      size="row"
      className={hasEnded ? styles.dismiss : undefined}
      aria-label={`${hasEnded ? 'Dismiss' : 'Cancel'}: ${headlineOf(job)}`}
      aria-disabled={job.isCancelling && !hasEnded ? true : undefined}
      onClick={() => (hasEnded ? exportJobs.dismiss(job.key) : void stopExport(job))}
    >
      {hasEnded ? <CloseIcon /> : 'Cancel'}
    </Button>
  );
}

const isBeingRead = (section: HTMLElement | null) =>
  section !== null && (section.matches(':hover') || section.contains(document.activeElement));

// The app loads it after the first rows.
export default ExportProgress;
