import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  label: string;
  done: number;
  of: number | null;
}

export function ProgressBar({ label, done, of }: ProgressBarProps) {
  return (
    <progress aria-label={label} className={styles.bar} {...(of ? { max: of, value: done } : {})} />
  );
}
