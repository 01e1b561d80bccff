import { type ReactNode, useId } from 'react';
import styles from './ClaimPanel.module.css';

interface PanelSectionProps {
  title: string;
  /** Shown next to the title. */
  note?: string;
  children: ReactNode;
}

export function PanelSection({ title, note, children }: PanelSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h3 id={id} className={styles.heading}>
        {title}
        {note && <span className={styles.note}>{note}</span>}
      </h3>
      {children}
    </section>
  );
}
