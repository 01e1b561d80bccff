import type { ReactNode } from 'react';
import { Button, CloseButton } from '../Button';
import { classes } from '../classes';
import styles from './Alert.module.css';

interface AlertProps {
  /** `status` for what can wait until the screen reader pauses. */
  role?: 'alert' | 'status';
  tone: 'bad' | 'good' | 'plain' | 'warning';
  children: ReactNode;
  action?: ReactNode;
  onDismiss?: () => void;
}

export function Alert({ role = 'alert', tone, children, action, onDismiss }: AlertProps) {
  return (
    <div role={role} className={classes(styles.alert, styles[tone])}>
      <div className={styles.text}>{children}</div>
      {action}
      {onDismiss && (
        <CloseButton aria-label="Dismiss" onClick={onDismiss} className={styles.dismiss} />
      )}
    </div>
  );
}

export const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => <p key={line}>{line}</p>);

interface LoadFailureProps {
  lines: readonly string[];
  isRetrying?: boolean;
  onRetry: () => void;
}

/** Says what could not be loaded and why, and offers a retry. */
export function LoadFailure({ lines, isRetrying = false, onRetry }: LoadFailureProps) {
  // Not disabled while it loads: a disabled button would lose the focus.
  const retry = (
    <Button aria-busy={isRetrying} onClick={isRetrying ? undefined : onRetry}>
      {isRetrying ? 'Retrying…' : 'Retry'}
    </Button>
  );
  return (
    <Alert tone="bad" action={retry}>
      <Lines lines={lines} />
    </Alert>
  );
}

interface LoadTroubleProps {
  /** Begins the sentence, e.g. `The claims`. */
  what: string;
  isLoaded: boolean;
  reading: {
    failure: string | undefined;
    isLoading: boolean;
    /** A busy server has refused the request, which is repeated in a few seconds. */
    isHeldUp?: boolean;
    reload: () => void;
  };
}

/** Says what could not be loaded or refreshed, or that the server is busy. Empty if nothing is wrong. */
export function LoadTrouble({ what, isLoaded, reading }: LoadTroubleProps) {
  const { failure, isLoading, isHeldUp, reload } = reading;
  if (failure !== undefined) {
    const first = isLoaded
      ? `${what} could not be refreshed. What you see may be out of date.`
      : `${what} could not be loaded.`;
    return <LoadFailure lines={[first, failure]} isRetrying={isLoading} onRetry={reload} />;
  }
  if (!isHeldUp) return null;
  return (
    <Alert role="status" tone="plain" action={<Button onClick={reload}>Retry</Button>}>
      The server is busy. Trying again…
    </Alert>
  );
}
