import type { Schemas } from '../api/client';

type Status = Schemas['Claim']['status'];
type Move = Schemas['Claim']['moves'][number];

const move = (to: Status, label: string, permission: string, more: Partial<Move> = {}): Move => ({
  to,
  label,
  needsReason: false,
  isUndo: false,
  tone: 'neutral',
  permission,
  ...more,
});
const accept = move('Accepted', 'Accept', 'claims.accept');
const pay = move('Paid', 'Paid Success', 'claims.pay', { tone: 'primary' });
const undoAccept = move('Pending', 'Undo Accept', 'claims.accept', { isUndo: true });
const undoReject = move('Pending', 'Undo Reject', 'claims.reject', { isUndo: true });
const hold = move('On hold', 'Put on hold', 'claims.hold', { needsReason: true });
const release = move('Pending', 'Release', 'claims.hold', { needsReason: true });
const reject = move('Rejected', 'Reject', 'claims.reject', { needsReason: true });
const markReturned = move('Returned', 'Mark as returned', 'claims.return', { needsReason: true });

/** As the server sends them. */
export const movesFrom: Record<Status, Move[]> = {
  Pending: [accept, hold, reject],
  Accepted: [pay, undoAccept, hold, reject],
  Paid: [markReturned],
  'On hold': [release, reject],
  Rejected: [undoReject],
  Returned: [accept, hold, reject],
};
