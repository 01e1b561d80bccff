import type { MouseEvent } from 'react';
import { useIsBusy } from '../../api/rowWork';
import { Button } from '../../ui/Button';
import { StatusLabel, type StatusTone } from '../../ui/StatusLabel';
import styles from './ClaimActions.module.css';
import type { Claim } from './claimsQuery';
import { claimWork } from './claimWork';

const toneOf: Record<Claim['status'], StatusTone> = {
  Pending: 'waiting',
  Accepted: 'moving',
  Paid: 'done',
};

export interface ClaimHandlers {
  onAccept: (claim: Claim) => void;
  onPay: (claim: Claim) => void;
}

export function ClaimActions({ claim, onAccept, onPay }: ClaimHandlers & { claim: Claim }) {
  const isBusy = useIsBusy(claimWork, claim._id);
  const canAccept = claim.moves.includes('Accepted') && !isBusy;
  const canPay = claim.moves.includes('Paid') && !isBusy;
  const described = `claim of ${claim.user.username}`;

  const accept = (event: MouseEvent) => {
    // The button is about to be disabled, which would drop the focus to the top of the page.
    event.currentTarget.closest<HTMLElement>('[role="row"]')?.focus({ preventScroll: true });
    onAccept(claim);
  };

  return (
    <div className={styles.actions}>
      <span className={styles.status}>
        <StatusLabel tone={toneOf[claim.status]}>{claim.status}</StatusLabel>
      </span>
      <Button
        size="row"
        disabled={!canAccept}
        aria-busy={isBusy}
        aria-description={described}
        onClick={accept}
      >
        Accept
      </Button>
      <Button
        size="row"
        look={canPay ? 'filled' : 'quiet'}
        disabled={!canPay}
        aria-busy={isBusy}
        aria-description={described}
        onClick={() => onPay(claim)}
      >
        Paid Success
      </Button>
    </div>
  );
}
