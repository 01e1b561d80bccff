import { WarningIcon } from '../../ui/icons/WarningIcon';
import styles from './ClientScreen.module.css';

/** What is odd about a value, in the server's words; nothing where all is well. */
export function Oddity({ children }: { children: string }) {
  if (!children) return null;
  return (
    <span className={styles.oddity}>
      <WarningIcon />
      {children}
    </span>
  );
}
