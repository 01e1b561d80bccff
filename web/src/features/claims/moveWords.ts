import type { Claim, ClaimStatus } from './claimsQuery';

/** How a move is called, and how it is asked for. Which moves there are comes with the claim. */
export interface MoveWords {
  label: string;
  question: string;
  /** The button that does it. */
  confirm: string;
  key?: string;
}

const words: Partial<Record<ClaimStatus, MoveWords>> = {
  'On hold': {
    label: 'Put on hold…',
    question: 'Put this claim on hold?',
    confirm: 'Put on hold',
    key: 'h',
  },
  Rejected: {
    label: 'Reject…',
    question: 'Reject this claim?',
    confirm: 'Reject',
    key: 'r',
  },
  Returned: {
    label: 'Returned…',
    question: 'Did the bank send this payment back?',
    confirm: 'Returned',
  },
};

const release: MoveWords = {
  label: 'Release…',
  question: 'Release this claim?',
  confirm: 'Release',
};
const undo: MoveWords = {
  label: 'Undo Accept',
  question: '',
  confirm: 'Undo Accept',
  key: 'u',
};

/** Undefined for the moves that have a button of their own. */
export function wordsOf(from: ClaimStatus, target: ClaimStatus): MoveWords | undefined {
  if (target === 'Pending') return from === 'Accepted' ? undo : release;
  return words[target];
}

/** An Accept that is undone says why by itself. */
export const needsReason = (from: ClaimStatus, target: ClaimStatus) =>
  wordsOf(from, target) !== undefined && wordsOf(from, target) !== undo;

/** The moves that stand in the menu. */
export const menuMoves = (claim: Claim) =>
  claim.moves.filter((target) => wordsOf(claim.status, target) !== undefined);
