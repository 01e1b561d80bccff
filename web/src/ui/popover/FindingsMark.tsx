import { type PointerEvent, useCallback, useRef, useState } from 'react';
import { WarningIcon } from '../icons/icons';
import { countOf } from '../text/rupees';
import styles from './FindingsMark.module.css';
import { Tip } from './Tip';

export interface Finding {
  code: string;
  sentence: string;
}

/** Marks a value that needs a second look. The reasons are shown on hover, focus and tap. */
export function FindingsMark({ findings }: { findings: readonly Finding[] }) {
  const [isUnderPointer, setIsUnderPointer] = useState(false);
  /** Opened by focus or tap: some phones do not focus an element on tap. */
  const [isHeld, setIsHeld] = useState(false);
  const mark = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setIsUnderPointer(false);
    setIsHeld(false);
  }, []);
  if (findings.length === 0) return null;

  const hold = () => setIsHeld(true);
  return (
    <span
      className={styles.place}
      // A finger is over the mark only during the tap.
      onPointerEnter={(event: PointerEvent) => setIsUnderPointer(event.pointerType !== 'touch')}
      onPointerLeave={() => setIsUnderPointer(false)}
    >
      <button
        ref={mark}
        type="button"
        className={styles.mark}
        aria-label={countOf(findings.length, 'finding')}
        aria-description={findings.map(({ sentence }) => sentence).join(' ')}
        onFocus={hold}
        onClick={hold}
        onBlur={() => setIsHeld(false)}
      >
        <WarningIcon />
      </button>
      {(isUnderPointer || isHeld) && (
        <Tip anchor={mark} lines={findings.map(({ sentence }) => sentence)} onClose={close} />
      )}
    </span>
  );
}
