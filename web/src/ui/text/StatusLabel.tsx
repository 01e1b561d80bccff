import { classes } from '../classes';
import styles from './StatusLabel.module.css';

export type StatusTone = 'waiting' | 'moving' | 'done' | 'held' | 'refused' | 'back' | 'off';

/** Always shows the status as a word; the colour only repeats it. */
export function StatusLabel({ tone, children }: { tone: StatusTone; children: string }) {
  return <span className={classes(styles.label, styles[tone])}>{children}</span>;
}
