import { classes } from '../classes';
import styles from './Money.module.css';
import { formatRupees } from './rupees';

/** One crore and above; amount columns are sized for less. */
const longLength = '₹1,00,00,000.00'.length;

/** `loud` marks the one amount of a row that the admin acts on. */
export function Money({ amount, loud = false }: { amount: number; loud?: boolean }) {
  const text = formatRupees(amount);
  const isLong = text.length >= longLength;
  return (
    <span className={classes(styles.money, loud && styles.loud, isLong && styles.long)}>
      {isLong ? text.split(/(?<=,)/).map(breakable) : text}
    </span>
  );
}

/** An amount is never clipped, because it would look like a smaller one: it wraps at a comma. */
const breakable = (digits: string, place: number) => [digits, <wbr key={place} />];
