import { Button, Chip, Stack } from '@mui/material';
import { useRecordContext, useUpdate } from 'react-admin';
import type { Claim } from './dataProvider';

export function ClaimActions() {
  const claim = useRecordContext<Claim>();
  const [update, { isPending }] = useUpdate<Claim>();
  if (!claim) return null;
  const move = (status: Claim['status']) =>
    update('claims', { id: claim.id, data: { status }, previousData: claim });
  const canMove = (status: Claim['status']) => claim.moves.some(({ to }) => to === status) && !isPending;
  return (
    <Stack component="span" direction="row" spacing={1}>
      <Chip component="span" size="small" label={claim.status} />
      <Button size="small" disabled={!canMove('Accepted')} onClick={() => move('Accepted')}>
        Accept
      </Button>
      <Button size="small" disabled={!canMove('Paid')} onClick={() => move('Paid')}>
        Paid Success
      </Button>
    </Stack>
  );
}
