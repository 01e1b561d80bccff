import { type ReactNode, useId } from 'react';
import styles from './ClientScreen.module.css';

interface SectionProps {
  title: string;
  /** How many there are. */
  note?: string;
  /** Shown at the right edge of the title. */
  link?: ReactNode;
  children: ReactNode;
}

export function Section({ title, note, link, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {note && <span className={styles.note}>{note}</span>}
        {link && <span className={styles.link}>{link}</span>}
      </div>
      {children}
    </section>
  );
}
