import { WarningIcon } from '../../ui/icons/WarningIcon';
import styles from './ClientScreen.module.css';

/** The server's note about an unusual value, or nothing if the value is fine. */
export function WarningNote({ children }: { children: string }) {
  if (!children) return null;
  return (
    <span className={styles.oddity}>
      <WarningIcon />
      {children}
    </span>
  );
}
