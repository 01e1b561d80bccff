import { useEffect } from 'react';
import { setFirstReadsDue } from '../../api/live';
import styles from './LiveUpdates.module.css';

/** In place of the live connection, if its file could not be loaded: everything else works without it. */
export default function NotLive() {
  useEffect(() => {
    setFirstReadsDue(true);
    return () => setFirstReadsDue(false);
  }, []);
  return (
    <div className={styles.place}>
      <p role="status" className={styles.lost}>
        Not live: reload the page.
      </p>
    </div>
  );
}
