import type { StatusTone } from '../../ui/text/StatusLabel';
import type { ClaimStatus } from './claim';

/** A settled claim is paid or rejected: nothing is owed on it. */
const statuses: Record<ClaimStatus, { tone: StatusTone; isSettled: boolean }> = {
  Pending: { tone: 'waiting', isSettled: false },
  Accepted: { tone: 'moving', isSettled: false },
  Paid: { tone: 'done', isSettled: true },
  'On hold': { tone: 'held', isSettled: false },
  Rejected: { tone: 'refused', isSettled: true },
  Returned: { tone: 'back', isSettled: false },
};

export const claimStatuses = Object.keys(statuses) as ClaimStatus[];
export const toneOfStatus = (status: ClaimStatus) => statuses[status].tone;
export const isSettled = (status: ClaimStatus) => statuses[status].isSettled;
