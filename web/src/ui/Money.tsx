import { classes } from './classes';
import styles from './Money.module.css';
import { formatRupees } from './rupees';

/** `loud` marks the one amount of a row that the admin acts on. */
export function Money({ amount, loud = false }: { amount: number; loud?: boolean }) {
  return <span className={classes(styles.money, loud && styles.loud)}>{formatRupees(amount)}</span>;
}
