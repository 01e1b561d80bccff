import { useEffect } from 'react';
import styles from './Toast.module.css';

const shownMilliseconds = 4_000;

interface ToastProps {
  /** An empty sentence shows nothing. The number distinguishes two identical sentences. */
  told: { sentence: string; number: number };
  onEnd: () => void;
}

/** Briefly confirms an action, in a place where it covers no control. */
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
