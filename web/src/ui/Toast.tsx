import { useEffect } from 'react';
import styles from './Toast.module.css';

const shownMilliseconds = 4_000;

interface ToastProps {
  /** Empty for nothing. The number tells two same sentences apart. */
  told: { sentence: string; number: number };
  onEnd: () => void;
}

/** Says what was done, for a moment, where it covers nothing to press. */
export function Toast({ told, onEnd }: ToastProps) {
  useEffect(() => {
    if (!told.sentence) return;
    const timer = setTimeout(onEnd, shownMilliseconds);
    return () => clearTimeout(timer);
  }, [told, onEnd]);
  return (
    <p role="status" className={styles.place}>
      {told.sentence && (
        <span key={told.number} className={styles.toast}>
          {told.sentence}
        </span>
      )}
    </p>
  );
}
