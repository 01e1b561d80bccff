import styles from './DataTable.module.css';

/** Text that is cut off with an ellipsis if it does not fit. Hover or tap shows it in full. */
export function Clipped({ header, children }: { header: string; children: string }) {
  return (
    <span className={styles.clip} title={children} data-clipped={header}>
      {children}
    </span>
  );
}
