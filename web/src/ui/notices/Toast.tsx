import { useEffect } from 'react';
import styles from './Toast.module.css';

const shownMilliseconds = 4_000;

interface ToastProps {
  /** An empty sentence shows nothing. The number distinguishes two identical sentences. */
  message: { sentence: string; number: number };
  onEnd: () => void;
}

/** Briefly confirms an action, in a place where it covers no control. */
export function Toast({ message, onEnd }: ToastProps) {
  useEffect(() => {
    if (!message.sentence) return;
    const timer = setTimeout(onEnd, shownMilliseconds);
    return () => clearTimeout(timer);
  }, [message, onEnd]);
  return (
    <p role="status" className={styles.place}>
      {message.sentence && (
        <span key={message.number} className={styles.toast}>
          {message.sentence}
        </span>
      )}
    </p>
  );
}
