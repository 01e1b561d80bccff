import { useEffect, useRef } from 'react';
import { useAreKeysLost } from '../page/quietKeys';
import styles from './LostKeys.module.css';

/** Says that what was typed reached nothing, above everything else: also above a panel. */
export function LostKeys() {
  const areLost = useAreKeysLost();
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (areLost) notice.current?.showPopover?.();
  }, [areLost]);
  if (!areLost) return null;
  return (
    <p ref={notice} popover="manual" role="alert" className={styles.notice}>
      What you typed was not taken. Press <kbd>Esc</kbd> or an arrow key, then go on.
    </p>
  );
}
