import { type ReactNode, useId } from 'react';
import { StatusLabel } from '../../../ui/text/StatusLabel';
import styles from './Account.module.css';

interface SectionProps {
  title: string;
  /** Whether it is set up; omitted if that is no question. */
  state?: { isOn: boolean; words: string };
  does: string;
  /** The button that changes it. */
  children: ReactNode;
}

export function Section({ title, state, does, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 id={id} className="heading">
            {title}
          </h2>
          {state && <StatusLabel tone={state.isOn ? 'done' : 'off'}>{state.words}</StatusLabel>}
        </div>
        {children}
      </div>
      <p className="quiet">{does}</p>
    </section>
  );
}
