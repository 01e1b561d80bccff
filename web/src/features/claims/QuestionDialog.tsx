import { useQuery } from '@tanstack/react-query';
import { type Claim, claimDetailsOptions, type Move } from '../../entities/claim/claim';
import type { ActionRequest, Place } from './actions';
import { newerClaim } from './claimDetails';
import { changeSince } from './claimNow';
import { MoveDialog } from './MoveDialog';
import { PayConfirm } from './PayConfirm';

export interface Question {
  place: Place;
  move: Move;
  by: ActionRequest['by'];
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
  const { move, isBusy, problem, refusal } = question;
  const seen = question.place.claim;
  const { data: details, isError } = useQuery(claimDetailsOptions(seen._id));
  const now = newerClaim(row, details);
  // While the admin's own move is in progress, its response reports the outcome.
  const change = isBusy ? '' : (refusal ?? changeSince(seen, now, move.to, details));
  const shared = { claim: now, change, isBusy, problem, onCancel };
  return move.to === 'Paid' ? (
    <PayConfirm
      {...shared}
      details={details}
      isUninformed={isError && !details}
      needsReference={needsReference}
      onConfirm={(reference) => onAnswer(reference ? { reference } : {})}
    />
  ) : (
    <MoveDialog {...shared} move={move} onConfirm={(reason) => onAnswer({ reason })} />
  );
}
