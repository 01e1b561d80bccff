import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isOutcomeUnknown, sentencesOf } from '../../api/errors';
import { clientOptions, type Note } from '../../entities/client/client';
import { Button } from '../../ui/Button';
import { AnswerField } from '../../ui/form/AnswerField';
import { useMay } from '../../ui/may';
import { Alert, Lines } from '../../ui/notices/Alert';
import { formatMoment } from '../../ui/text/dates';
import { formatCount } from '../../ui/text/rupees';
import styles from './ClientScreen.module.css';
import { Section } from './ClientSections';
import { addNote } from './clientActions';

interface ClientNotesProps {
  clientId: string;
  notes: readonly Note[];
}

export function ClientNotes({ clientId, notes }: ClientNotesProps) {
  const may = useMay();
  return (
    <Section title="Notes" note={formatCount(notes.length)}>
      {may('clients.note') && (
        <div className={styles.formPlace}>
          <NoteForm clientId={clientId} />
        </div>
      )}
      {notes.length === 0 && <p className={styles.nothing}>No notes yet.</p>}
      <ul className={styles.list}>
        {notes.map(({ _id, text: written, by, at }) => (
          <li key={_id}>
            <p className={styles.noteText}>{written}</p>
            <p className="small quiet figures wrap">{`${by}, ${formatMoment(at)}`}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const longest = 2_000;
const lost = 'No answer came back. If the note appears below, it was saved; if not, add it again.';

function NoteForm({ clientId }: { clientId: string }) {
  const client = useQueryClient();
  const { queryKey } = clientOptions(clientId);
  const [text, setText] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: (written: string) => addNote(clientId, written),
    onSuccess: async (note) => {
      // A response that was requested before the note was saved must not remove it again.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (now) => now && { ...now, notes: [note, ...now.notes] });
      setText('');
    },
    onError: () => void client.invalidateQueries({ queryKey }),
  });

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    reset();
    setIsEmpty(!text.trim());
    if (text.trim()) mutate(text.trim());
  };

  const problem = isOutcomeUnknown(error) ? [lost] : sentencesOf(error);
  return (
    <form className="stack" noValidate onSubmit={save}>
      <AnswerField
        label="New note"
        value={text}
        onChange={(value) => {
          setText(value);
          setIsEmpty(false);
          reset();
        }}
        hint="Visible to all admins. A saved note cannot be changed or deleted."
        isLong
        isReadOnly={isPending}
        maxLength={longest}
      />
      {(isEmpty || error) && (
        <Alert tone="bad">
          <Lines lines={isEmpty ? ['Enter a note.'] : problem} />
        </Alert>
      )}
      <div className={styles.buttons}>
        <span role="status" className="small quiet figures">
          {isSuccess && 'The note was saved.'}
        </span>
        <Button type="submit" aria-busy={isPending}>
          {isPending ? 'Saving…' : 'Add note'}
        </Button>
      </div>
    </form>
  );
}
