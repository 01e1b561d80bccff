import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../Button';
import { classes } from '../classes';
import { CloseIcon } from '../icons/icons';
import styles from './JobLine.module.css';
import { ProgressBar } from './ProgressBar';

const lingerMilliseconds = 8_000;

interface JobLinesProps {
  label: string;
  inert?: boolean;
  /** Read by screen readers: without numbers, whose updates would never stop. */
  announcements: readonly { key: number | string; sentence: string }[];
  children: ReactNode;
}

/** Progress of long-running jobs: lines below every screen, where they cover no row and no button. */
export function JobLines({ label, inert = false, announcements, children }: JobLinesProps) {
  return (
    <section aria-label={label} inert={inert} className={styles.jobs}>
      {/* Rendered from the start, or screen readers would miss the first message. */}
      <div role="status" className="visually-hidden">
        {announcements.map(({ key, sentence }) => (
          <p key={key}>{sentence}</p>
        ))}
      </div>
      {children}
    </section>
  );
}

interface JobLineProps {
  headline: string;
  detail: string;
  isBad?: boolean;
  /** Absent once the job has ended. */
  progress?: { done: number; of: number | null } | undefined;
  /** Removes the line after a while, unless it is being read. */
  onExpire?: (() => void) | undefined;
  children: ReactNode;
}

export function JobLine(props: JobLineProps) {
  const { headline, detail, isBad = false, progress, onExpire, children } = props;
  const line = useRef<HTMLDivElement>(null);
  const expire = useRef(onExpire);
  expire.current = onExpire;
  const isExpiring = onExpire !== undefined;

  useEffect(() => {
    if (!isExpiring) return;
    const timer = setInterval(() => {
      const section = line.current?.closest('section');
      const isBeingRead = section?.matches(':hover') || section?.contains(document.activeElement);
      if (!isBeingRead) expire.current?.();
    }, lingerMilliseconds);
    return () => clearInterval(timer);
  }, [isExpiring]);

  return (
    <div ref={line} className={classes(styles.job, isBad && styles.bad)}>
      <p className={styles.headline}>{headline}</p>
      {progress && (
        <div className={styles.bar}>
          <ProgressBar label={headline} {...progress} />
        </div>
      )}
      <p className={styles.detail}>{detail}</p>
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}

interface JobButtonProps {
  /** `Dismiss` is an icon. */
  label: string;
  headline: string;
  isBusy?: boolean;
  onPress: () => void;
}

/** The last button of a line. Its action may change while it keeps the focus. */
export function JobButton({ label, headline, isBusy = false, onPress }: JobButtonProps) {
  const isDismiss = label === 'Dismiss';
  return (
    <Button
      look={isDismiss ? 'icon' : 'quiet'}
      size="row"
      className={isDismiss ? styles.dismiss : undefined}
      aria-label={`${label}: ${headline}`}
      // Not disabled: that would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={onPress}
    >
      {isDismiss ? <CloseIcon /> : label}
    </Button>
  );
}
