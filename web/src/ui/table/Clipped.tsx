import styles from './DataTable.module.css';

/** Text that ends in dots where it has no room; the pointer and the finger still read it whole. */
export function Clipped({ header, children }: { header: string; children: string }) {
  return (
    <span className={styles.clip} title={children} data-clipped={header}>
      {children}
    </span>
  );
}
