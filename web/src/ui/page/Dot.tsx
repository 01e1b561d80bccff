import styles from './Page.module.css';

/** Marks the way to something that needs attention. The colour only repeats what the hidden text says. */
export function Dot({ trouble }: { trouble: string }) {
  if (!trouble) return null;
  return (
    <span className={styles.dot} title={trouble}>
      <span className="visually-hidden">{trouble}</span>
    </span>
  );
}
