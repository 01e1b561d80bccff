import { classes } from './classes';
import styles from './Money.module.css';
import { formatRupees } from './rupees';

/** From a crore on; a column of amounts is made for less. */
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

/** An amount is never cut off, as it would pass for a smaller one: it goes on in a second line, at a comma. */
const breakable = (digits: string, place: number) => [digits, <wbr key={place} />];
