import { useQuery } from '@tanstack/react-query';
import { detailsOptions, newer } from './claimDetails';
import { changeSince } from './claimNow';
import type { Claim, ClaimStatus } from './claimsQuery';
import type { Asked, Place } from './deskActions';
import { MoveDialog } from './MoveDialog';
import { PayConfirm } from './PayConfirm';

export interface Question {
  place: Place;
  target: ClaimStatus;
  by: Asked['by'];
  isBusy: boolean;
  /** The server's message about the field. */
  problem?: string | undefined;
  /** Why the server did not move the claim. */
  refusal?: string | undefined;
}

interface QuestionDialogProps {
  question: Question;
  /** The current claim in the list. */
  row: Claim;
  needsReference: boolean;
  onAnswer: (given: { reason?: string; reference?: string }) => void;
  onCancel: () => void;
}

/** Asks before a move, as long as the claim has not changed since the dialog opened. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { question, row, needsReference, onAnswer, onCancel } = props;
  const { target, isBusy, problem, refusal } = question;
  const seen = question.place.claim;
  const { data: details, isError } = useQuery(detailsOptions(seen._id));
  const now = newer(row, details);
  // While the admin's own move is in progress, its response reports the outcome.
  const change = isBusy ? '' : (refusal ?? changeSince(seen, now, target, details));
  const shared = { claim: now, change, isBusy, problem, onCancel };
  return target === 'Paid' ? (
    <PayConfirm
      {...shared}
      details={details}
      isUninformed={isError && !details}
      needsReference={needsReference}
      onConfirm={(reference) => onAnswer(reference ? { reference } : {})}
    />
  ) : (
    <MoveDialog
      {...shared}
      from={seen.status}
      target={target}
      onConfirm={(reason) => onAnswer({ reason })}
    />
  );
}
