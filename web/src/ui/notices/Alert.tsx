import type { ReactNode } from 'react';
import { Button } from '../Button';
import { classes } from '../classes';
import { CloseIcon } from '../icons/icons';
import styles from './Alert.module.css';

interface AlertProps {
  tone: 'bad' | 'good' | 'plain';
  children: ReactNode;
  /** What to do next, e.g. a Retry button. */
  action?: ReactNode;
  onDismiss?: () => void;
}

export function Alert({ tone, children, action, onDismiss }: AlertProps) {
  return (
    <div role="alert" className={classes(styles.alert, styles[tone])}>
      <div className={styles.text}>{children}</div>
      {action}
      {onDismiss && (
        <Button
          look="icon"
          size="row"
          aria-label="Dismiss"
          onClick={onDismiss}
          className={styles.dismiss}
        >
          <CloseIcon />
        </Button>
      )}
    </div>
  );
}
