import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { Alert } from '../../ui/Alert';
import { Dialog } from '../../ui/dialog/Dialog';
import { leaveBatch } from './batchActions';
import { type BatchJob, batchStore } from './batchStore';
import { leavingTexts } from './batchTexts';
import { restoreFocus } from './restoreFocus';

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
      restoreFocus();
    } catch (error) {
      setTrouble(sentenceOf(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title="Leave this batch half done?"
      confirm={{ label: 'Leave it', isGrave: true, isBusy, onConfirm: () => void leave() }}
      onClose={() => batchStore.setLeaving(null)}
      fields={trouble && <Alert tone="bad">{trouble}</Alert>}
    >
      {leavingTexts(job).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Dialog>
  );
}
