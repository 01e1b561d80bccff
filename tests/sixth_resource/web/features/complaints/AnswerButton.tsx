import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { sentencesOf } from '../../api/errors';
import { changeRow } from '../../api/pages';
import { useIsBusy } from '../../api/rowTasks';
import {
  answerComplaint,
  type Complaint,
  complaintList,
  complaintTasks,
} from '../../entities/complaint/complaint';
import { Button } from '../../ui/Button';

export function AnswerButton({ complaint }: { complaint: Complaint }) {
  const client = useQueryClient();
  const isBusy = useIsBusy(complaintTasks, complaint._id);
  return (
    <Button
      size="row"
      aria-busy={isBusy}
      aria-description={complaint.subject}
      disabled={isBusy || complaint.answeredAt !== null}
      onClick={() => void answer(client, complaint)}
    >
      Answer
    </Button>
  );
}

async function answer(client: QueryClient, { _id, subject }: Complaint) {
  const task = complaintTasks.begin(_id);
  if (!task) return;
  try {
    await answerComplaint(_id);
    const answeredAt = new Date().toISOString();
    await changeRow<Complaint>(client, complaintList.noun, _id, (row) => ({ ...row, answeredAt }));
  } catch (error) {
    task.notify({ tone: 'bad', lines: [`“${subject}” was not answered.`, ...sentencesOf(error)] });
  }
  task.end();
}
