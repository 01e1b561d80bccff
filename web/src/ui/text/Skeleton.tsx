import styles from './Skeleton.module.css';

export function Skeleton({ width }: { width: string }) {
  return <span className={styles.bar} style={{ width }} />;
}
