import type { MouseEvent } from 'react';
import { useIsBusy } from '../../api/rowTasks';
import { ClaimStatusLabel } from '../../entities/claim/ClaimStatusLabel';
import { type Claim, findMove } from '../../entities/claim/claim';
import { claimTasks } from '../../entities/claim/claimTasks';
import { Button } from '../../ui/Button';
import { MoreIcon } from '../../ui/icons/MoreIcon';
import type { Action, RequestAction } from './actions';
import styles from './ClaimButtons.module.css';

interface ClaimButtonsProps {
  claim: Claim;
  index: number;
  onAsk: RequestAction;
}

export function ClaimButtons({ claim, index, onAsk }: ClaimButtonsProps) {
  const isBusy = useIsBusy(claimTasks, claim._id);
  const canAccept = findMove(claim, 'Accepted') && !isBusy;
  const canPay = findMove(claim, 'Paid') && !isBusy;
  const described = `claim of ${claim.user.username}`;

  const ask = (action: Action) => (event: MouseEvent<HTMLElement>) =>
    onAsk({
      action,
      place: { claim, index },
      // A click by Enter or the space bar has no pointer, and its `detail` is 0.
      by: event.detail === 0 ? 'key' : 'pointer',
      from: event.currentTarget,
    });

  return (
    <div className={styles.actions}>
      <span className={styles.status}>
        <ClaimStatusLabel status={claim.status} />
      </span>
      <Button
        size="row"
        className={styles.move}
        disabled={!canAccept}
        aria-busy={isBusy}
        aria-description={described}
        onClick={ask('Accepted')}
      >
        Accept
      </Button>
      <Button
        size="row"
        className={styles.move}
        look={canPay ? 'filled' : 'quiet'}
        disabled={!canPay}
        aria-busy={isBusy}
        aria-description={described}
        onClick={ask('Paid')}
      >
        Paid Success
      </Button>
      <Button
        size="row"
        look="icon"
        className={styles.more}
        aria-haspopup="menu"
        aria-label="More"
        aria-description={described}
        disabled={isBusy}
        onClick={ask('menu')}
      >
        <MoreIcon />
      </Button>
    </div>
  );
}
