import { StatusLabel } from '../../ui/text/StatusLabel';
import type { ClaimStatus } from './claim';
import { toneOfStatus } from './status';

export const ClaimStatusLabel = ({ status }: { status: ClaimStatus }) => (
  <StatusLabel tone={toneOfStatus(status)}>{status}</StatusLabel>
);
