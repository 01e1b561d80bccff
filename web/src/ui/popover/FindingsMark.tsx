import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { classes } from '../classes';
import { WarningIcon } from '../icons/icons';
import { countOf } from '../text/rupees';
import styles from './Popover.module.css';
import { useAnchor } from './popoverAnchor';

export interface Finding {
  code: string;
  sentence: string;
}

interface FindingsMarkProps {
  findings: readonly Finding[];
  /** Somebody has had that second look. */
  isSettled?: boolean;
}

/** Marks a value that needs a second look. The reasons are shown on hover, focus and tap. */
export function FindingsMark({ findings, isSettled = false }: FindingsMarkProps) {
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
  const lines = findings.map(({ sentence }) => sentence);
  return (
    <span
      className={styles.place}
      // A finger is over the mark only during the tap.
      onPointerEnter={(event) => setIsUnderPointer(event.pointerType !== 'touch')}
      onPointerLeave={() => setIsUnderPointer(false)}
    >
      <button
        ref={mark}
        type="button"
        className={classes(styles.mark, isSettled && styles.settled)}
        aria-label={`${countOf(findings.length, 'finding')}${isSettled ? ', checked' : ''}`}
        aria-description={lines.join(' ')}
        onFocus={hold}
        onClick={hold}
        onBlur={() => setIsHeld(false)}
      >
        <WarningIcon />
      </button>
      {(isUnderPointer || isHeld) && <Tip anchor={mark} lines={lines} onClose={close} />}
    </span>
  );
}

interface TipProps {
  anchor: RefObject<HTMLElement | null>;
  lines: readonly string[];
  onClose: () => void;
}

/** A tooltip in the top layer, so that neither a row nor a table clips it. */
function Tip({ anchor, lines, onClose }: TipProps) {
  const layer = useAnchor<HTMLSpanElement>(anchor, 'start');

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // A panel that contains the mark stays open.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    const leave = ({ target }: Event) => {
      const isInside = [anchor, layer].some(({ current }) => current?.contains(target as Node));
      if (!isInside) onClose();
    };
    // A row that keeps the focus may be scrolled out of view together with its mark.
    const sight = new IntersectionObserver(([mark]) => {
      if (mark && !mark.isIntersecting) onClose();
    });
    if (anchor.current) sight.observe(anchor.current);
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    document.addEventListener('keydown', closeOnEscape, options);
    document.addEventListener('pointerdown', leave, options);
    return () => {
      sight.disconnect();
      listeners.abort();
    };
  }, [anchor, layer, onClose]);

  return (
    // Spans, because a mark may be inside a line of text.
    <span ref={layer} popover="manual" role="tooltip" className={styles.layer}>
      <span className={classes(styles.surface, styles.tip)}>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </span>
    </span>
  );
}
