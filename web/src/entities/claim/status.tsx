import { StatusLabel, type StatusTone } from '../../ui/text/StatusLabel';
import type { ClaimStatus } from './claim';

/** In the order of the work. A settled claim is paid or rejected: nothing is owed on it. */
const statuses: Record<ClaimStatus, { tone: StatusTone; isSettled: boolean }> = {
  Pending: { tone: 'waiting', isSettled: false },
  Accepted: { tone: 'moving', isSettled: false },
  'On hold': { tone: 'held', isSettled: false },
  Paid: { tone: 'done', isSettled: true },
  Rejected: { tone: 'refused', isSettled: true },
  Returned: { tone: 'back', isSettled: false },
};

export const claimStatuses = Object.keys(statuses) as ClaimStatus[];
export const isSettled = (status: ClaimStatus) => statuses[status].isSettled;

export const ClaimStatusLabel = ({ status }: { status: ClaimStatus }) => (
  <StatusLabel tone={statuses[status].tone}>{status}</StatusLabel>
);
