import type { Claim, ClaimStatus, Move } from '../../entities/claim/claim';

/** The actions on a claim, started by a key or a button. A status is the target of a move. */
export type Action = ClaimStatus | 'copy' | 'undo' | 'menu' | 'open';

export const actionOfKey: Readonly<Record<string, Action>> = {
  a: 'Accepted',
  p: 'Paid',
  h: 'On hold',
  r: 'Rejected',
  u: 'undo',
  c: 'copy',
  m: 'menu',
};

export interface Place {
  claim: Claim;
  index: number;
}

export interface ActionRequest {
  action: Action;
  /** Only an undo works without it. */
  place: Place | undefined;
  /** Determines how the focus moves on: after a click nothing scrolls. */
  by: 'key' | 'pointer';
  /** The button that was clicked. */
  from?: HTMLElement;
}

export type RequestAction = (request: ActionRequest) => void;

/** The question of the dialog that asks for a reason. */
export const questionOf: Partial<Record<ClaimStatus, string>> = {
  Pending: 'Release this claim?',
  'On hold': 'Put this claim on hold?',
  Rejected: 'Reject this claim?',
  Returned: 'Did the bank send this payment back?',
};

/** The moves with their own button, in every row. */
const buttonMoves: readonly ClaimStatus[] = ['Accepted', 'Paid'];

export const menuMoves = (claim: Claim) =>
  claim.moves.filter(({ to }) => !buttonMoves.includes(to));

/** Of the two moves to Pending, only Release needs a reason. */
const isUndo = ({ to, needsReason }: Move) => to === 'Pending' && !needsReason;

export function keyOf(move: Move): string | undefined {
  const action = isUndo(move) ? 'undo' : move.to;
  return Object.keys(actionOfKey).find((key) => actionOfKey[key] === action);
}
