import { type FormEvent, useRef, useState } from 'react';
import { sentencesOf } from '../../api/errors';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { Alert, Lines } from '../../ui/notices/Alert';
import styles from './Views.module.css';
import { NameTaken, type Screen, useSaveView } from './viewActions';

const longestName = 60;

interface SaveViewProps {
  screen: Screen;
  search: string;
  isReady: boolean;
}

export function SaveView({ screen, search, isReady }: SaveViewProps) {
  const [name, setName] = useState<string | null>(null);
  const [isNameless, setIsNameless] = useState(false);
  const [hasClosed, setHasClosed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { mutate, reset, error, isPending } = useSaveView(screen);

  const close = () => {
    setName(null);
    setHasClosed(true);
    reset();
  };

  if (name === null) {
    return (
      // When the form closes, the focus returns to the button that opened it.
      <Button
        className={styles.save}
        autoFocus={hasClosed}
        disabled={!isReady}
        onClick={() => setName('')}
      >
        Save this view…
      </Button>
    );
  }

  const taken = error instanceof NameTaken ? error.view : null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    setIsNameless(!wanted);
    if (!wanted) input.current?.focus();
    else if (!isPending) {
      mutate({ screen, name: wanted, search, over: taken?._id }, { onSuccess: close });
    }
  };

  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <Field
        ref={input}
        label="Name of this view"
        autoFocus
        autoComplete="off"
        required
        maxLength={longestName}
        value={name}
        invalid={isNameless || (error !== null && !taken)}
        onChange={(event) => {
          setName(event.target.value);
          // The error was about the previous name.
          setIsNameless(false);
          reset();
        }}
      />
      {isNameless && <Alert tone="bad">Give the view a name.</Alert>}
      {error && (
        <Alert tone={taken ? 'plain' : 'bad'}>
          {taken ? (
            <p>{error.message} Replace it with what you see now, or choose another name.</p>
          ) : (
            <Lines lines={sentencesOf(error)} />
          )}
        </Alert>
      )}
      <div className={styles.buttons}>
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look="filled" aria-disabled={isPending || undefined}>
          {taken ? 'Replace' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
