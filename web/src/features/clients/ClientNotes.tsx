import type { Note } from '../../entities/client/client';
import { formatMoment } from '../../ui/dates';
import { formatCount } from '../../ui/rupees';
import styles from './ClientScreen.module.css';
import { NoteForm } from './NoteForm';
import { Section } from './Section';

interface ClientNotesProps {
  clientId: string;
  notes: readonly Note[];
}

export function ClientNotes({ clientId, notes }: ClientNotesProps) {
  return (
    <Section title="Notes" note={formatCount(notes.length)}>
      <div className={styles.formPlace}>
        <NoteForm clientId={clientId} />
      </div>
      {notes.length === 0 && <p className={styles.nothing}>Nobody has written a note yet.</p>}
      <ul className={styles.list}>
        {notes.map(({ _id, text: written, by, at }) => (
          <li key={_id} className={styles.written}>
            <p className={styles.noteText}>{written}</p>
            <p className={styles.under}>{`${by}, ${formatMoment(at)}`}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
