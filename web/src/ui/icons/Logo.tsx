import styles from './Logo.module.css';

/** A ledger page with a coin on it. */
export function Logo() {
  return (
    <svg
      className={styles.logo}
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      <rect className={styles.page} width="20" height="20" rx="5" />
      <path className={styles.lines} d="M5 6.5h10M5 10h6.5M5 13.5h3" />
      <circle className={styles.coin} cx="13.6" cy="13.2" r="1.9" />
    </svg>
  );
}
