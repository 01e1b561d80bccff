import { classes } from '../../classes';
import { SortDownIcon, SortUpIcon } from '../../icons/icons';
import styles from './SortButton.module.css';

export type Order = 'ascending' | 'descending' | 'none';

interface SortButtonProps {
  label: string;
  order: Order;
  isAtEnd: boolean;
  onSort: () => void;
}

/** The column's name with a sort arrow. Screen readers get the order from `aria-sort` on the header. */
export function SortButton({ label, order, isAtEnd, onSort }: SortButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles.sort, order !== 'none' && styles.sorted, isAtEnd && styles.atEnd)}
      onClick={onSort}
    >
      <span className={styles.text}>{label}</span>
      {order === 'descending' ? <SortDownIcon /> : <SortUpIcon />}
    </button>
  );
}
