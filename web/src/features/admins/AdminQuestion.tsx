import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors';
import { adminsOptions } from '../../entities/admin/admin';
import { Dialog } from '../../ui/dialog/Dialog';
import { Alert, Lines } from '../../ui/notices/Alert';
import type { Invitation } from './adminActions';

export interface Question {
  title: string;
  explains: string;
  label: string;
  isGrave?: boolean;
  run: () => Promise<unknown>;
}

interface AdminQuestionProps {
  question: Question;
  /** With the link, if one was made. */
  onDone: (made: Invitation | undefined) => void;
  onClose: () => void;
}

export function AdminQuestion({ question, onDone, onClose }: AdminQuestionProps) {
  const client = useQueryClient();
  const { title, explains, label, isGrave = false, run } = question;
  const running = useMutation({
    mutationFn: run,
    onSuccess: (made) => onDone(isInvitation(made) ? made : undefined),
    onSettled: () => void client.invalidateQueries({ queryKey: adminsOptions.queryKey }),
  });
  return (
    <Dialog
      title={title}
      confirm={{
        label,
        isGrave,
        ...(isGrave && { look: 'danger' as const }),
        isBusy: running.isPending,
        onConfirm: () => running.mutate(),
      }}
      onClose={onClose}
      fields={
        running.error && (
          <Alert tone="bad">
            <Lines lines={[sentenceOf(running.error)]} />
          </Alert>
        )
      }
    >
      <p>{explains}</p>
    </Dialog>
  );
}

const isInvitation = (made: unknown): made is Invitation =>
  typeof made === 'object' && made !== null && 'link' in made;
