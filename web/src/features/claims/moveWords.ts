import type { Claim, ClaimStatus } from './claimsQuery';

/** The texts of a move. Which moves are allowed comes with the claim. */
export interface MoveWords {
  label: string;
  question: string;
  /** The label of the button that confirms it. */
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

/** Undefined for the moves that have their own button. */
export function wordsOf(from: ClaimStatus, target: ClaimStatus): MoveWords | undefined {
  if (target === 'Pending') return from === 'Accepted' ? undo : release;
  return words[target];
}

/** Undoing an Accept needs no reason. */
export const needsReason = (from: ClaimStatus, target: ClaimStatus) =>
  wordsOf(from, target) !== undefined && wordsOf(from, target) !== undo;

/** The moves that the menu offers. */
export const menuMoves = (claim: Claim) =>
  claim.moves.filter((target) => wordsOf(claim.status, target) !== undefined);
