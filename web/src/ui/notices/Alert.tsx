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

/** A busy server has refused a request, which is repeated in a few seconds. */
export const ServerBusy = ({ onRetry }: Pick<LoadFailureProps, 'onRetry'>) => (
  <Alert role="status" tone="plain" action={<Button onClick={onRetry}>Retry</Button>}>
    The server is busy. Trying again…
  </Alert>
);
