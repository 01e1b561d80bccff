import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { Alert } from '../../ui/Alert';
import { FormDialog } from '../../ui/FormDialog';
import { leaveBatch } from './batchActions';
import { type BatchJob, batchDesk } from './batchDesk';
import { leftSoOf } from './batchWords';
import { giveFocusBack } from './giveFocusBack';

/** Asks before a batch ends half done. */
export function LeaveDialog({ job }: { job: BatchJob }) {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const leave = async () => {
    setIsBusy(true);
    setTrouble('');
    try {
      await leaveBatch(client, job);
      giveFocusBack();
    } catch (error) {
      setTrouble(sentenceOf(error));
      setIsBusy(false);
    }
  };
  return (
    <FormDialog
      title="Leave this batch half done?"
      confirmLabel="Leave it"
      isGrave
      isBusy={isBusy}
      onConfirm={() => void leave()}
      onCancel={() => batchDesk.setLeaving(null)}
      fields={trouble && <Alert tone="bad">{trouble}</Alert>}
    >
      {leftSoOf(job).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </FormDialog>
  );
}
