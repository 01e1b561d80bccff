import { useEffect } from 'react';
import { Button } from '../Button';
import styles from './Toast.module.css';

const shownMilliseconds = 4_000;
export const shownWithActionMilliseconds = 8_000;

/** The way back from what was just done. */
export interface ToastAction {
  label: string;
  hint?: string;
  onPress: () => void;
}

interface ToastProps {
  /** An empty sentence shows nothing. The number distinguishes two identical sentences. */
  message: { sentence: string; number: number; action?: ToastAction | undefined };
  onEnd: () => void;
}

/** Briefly confirms an action, in a place where it covers no control. */
export function Toast({ message, onEnd }: ToastProps) {
  useEffect(() => {
    if (!message.sentence) return;
    const timer = setTimeout(
      onEnd,
      message.action ? shownWithActionMilliseconds : shownMilliseconds,
    );
    return () => clearTimeout(timer);
  }, [message, onEnd]);
  return (
    <p role="status" className={styles.place}>
      {message.sentence && (
        <span key={message.number} className={styles.toast}>
          {message.sentence}
          {message.action && <ActionButton {...message.action} onEnd={onEnd} />}
        </span>
      )}
    </p>
  );
}

function ActionButton({ label, hint, onPress, onEnd }: ToastAction & { onEnd: () => void }) {
  const press = () => {
    onEnd();
    onPress();
  };
  return (
    <Button size="row" className={styles.action} onClick={press}>
      {label}
      {hint && <kbd>{hint}</kbd>}
    </Button>
  );
}
