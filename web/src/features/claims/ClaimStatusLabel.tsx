import { StatusLabel, type StatusTone } from '../../ui/StatusLabel';
import type { ClaimStatus } from './claimsQuery';

const toneOf: Record<ClaimStatus, StatusTone> = {
  Pending: 'waiting',
  Accepted: 'moving',
  Paid: 'done',
  'On hold': 'held',
  Rejected: 'refused',
  Returned: 'back',
};

export const ClaimStatusLabel = ({ status }: { status: ClaimStatus }) => (
  <StatusLabel tone={toneOf[status]}>{status}</StatusLabel>
);
