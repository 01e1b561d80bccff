import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { sentencesOf } from '../../api/errors';
import { classes } from '../../ui/classes';
import { useFileDrop } from '../../ui/form/useFileDrop';
import { UploadIcon } from '../../ui/icons/icons';
import { Alert, Lines } from '../../ui/notices/Alert';
import styles from './Importing.module.css';
import { importsOptions } from './imports';
import { refusalOf, startUpload } from './importUploads';

/** Takes the files by a click or dropped, and starts to send them. */
export function FilePicker({ onStarted }: { onStarted: (id: string) => void }) {
  const id = useId();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState('');
  const starting = useMutation({
    mutationFn: startUpload,
    onSuccess: (started) => {
      if (!started) return;
      void client.invalidateQueries({ queryKey: importsOptions.queryKey });
      onStarted(started);
    },
  });

  const pick = (list: FileList | null) => {
    const files = [...(list ?? [])];
    // Clearing the input lets the same file be chosen again.
    if (input.current) input.current.value = '';
    if (files.length === 0 || starting.isPending) return;
    starting.reset();
    const wrong = refusalOf(files);
    setRefusal(wrong);
    if (!wrong) starting.mutate(files);
  };

  const { isOver, handlers } = useFileDrop(pick);

  const lines = refusal ? [refusal] : starting.error ? sentencesOf(starting.error) : [];
  return (
    <>
      <label htmlFor={id} className={classes(styles.zone, isOver && styles.over)} {...handlers}>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          aria-label="Files to import"
          aria-describedby={`${id}-kinds`}
          className={styles.input}
          onChange={(event) => pick(event.target.files)}
        />
        <span className={styles.prompt}>
          <UploadIcon />
          {starting.isPending ? 'Starting the upload…' : 'Choose files, or drop them here'}
        </span>
        <span id={`${id}-kinds`} className={styles.kinds}>
          Users, purchases, claims and QR codes as CSV, XLSX, JSON, BSON or a mongodump archive,
          with the pictures of QR codes. Choose files that belong together at once: at most 64 MB.
          Nothing is imported before you have seen the plan.
        </span>
      </label>
      {lines.length > 0 && (
        <Alert tone="bad">
          <Lines lines={['These files cannot be imported.', ...lines]} />
        </Alert>
      )}
    </>
  );
}
