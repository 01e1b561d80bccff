import { type RefObject, useEffect, useRef } from 'react';
import { useAnchor } from './popoverAnchor';
import styles from './Tip.module.css';

interface TipProps {
  anchor: RefObject<HTMLElement | null>;
  lines: readonly string[];
  onClose: () => void;
}

/** A tooltip in the top layer, so that neither a row nor a table clips it. */
export function Tip({ anchor, lines, onClose }: TipProps) {
  const layer = useRef<HTMLSpanElement>(null);
  useAnchor(anchor, layer, 'start');

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // A panel that contains the mark stays open.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    const leave = ({ target }: Event) => {
      const isInside = [anchor.current, layer.current].some((one) => one?.contains(target as Node));
      if (!isInside) onClose();
    };
    // A row that keeps the focus may be scrolled out of view together with its mark.
    const sight = new IntersectionObserver(([mark]) => {
      if (mark && !mark.isIntersecting) onClose();
    });
    if (anchor.current) sight.observe(anchor.current);
    document.addEventListener('keydown', closeOnEscape, true);
    document.addEventListener('pointerdown', leave, true);
    return () => {
      sight.disconnect();
      document.removeEventListener('keydown', closeOnEscape, true);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [anchor, onClose]);

  return (
    // Spans, because a mark may be inside a line of text.
    <span ref={layer} popover="manual" role="tooltip" className={styles.layer}>
      <span className={styles.tip}>
        {lines.map((line) => (
          <span key={line} className={styles.line}>
            {line}
          </span>
        ))}
      </span>
    </span>
  );
}
