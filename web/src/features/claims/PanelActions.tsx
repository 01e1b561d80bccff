import type { MouseEvent } from 'react';
import { useIsBusy } from '../../api/rowWork';
import { Button } from '../../ui/Button';
import { MoreIcon } from '../../ui/icons/MoreIcon';
import styles from './ClaimPanel.module.css';
import type { ClaimDetails } from './claimDetails';
import type { Claim, ClaimStatus } from './claimsQuery';
import { claimWork } from './claimWork';
import type { Action } from './deskActions';

interface PanelActionsProps {
  claim: Claim;
  blocked: ClaimDetails['blocked'];
  onAct: (action: Action, by: 'key' | 'pointer', from?: HTMLElement) => void;
}

/** The two buttons of the row and its menu. A move that is refused to this admin shows the reason. */
export function PanelActions({ claim, blocked, onAct }: PanelActionsProps) {
  const isBusy = useIsBusy(claimWork, claim._id);
  const whyNot = (target: ClaimStatus) => blocked.find(({ status }) => status === target)?.sentence;
  const can = (target: ClaimStatus) =>
    claim.moves.includes(target) && !isBusy && whyNot(target) === undefined;
  const act = (action: Action) => (event: MouseEvent<HTMLElement>) => {
    // The button is about to be disabled, which would lose the focus.
    event.currentTarget.closest('dialog')?.focus();
    onAct(action, 'pointer', event.currentTarget);
  };
  const reasons = (['Accepted', 'Paid'] as const)
    .filter((target) => claim.moves.includes(target))
    .map(whyNot)
    .filter((why) => why !== undefined);

  return (
    <>
      <div className={styles.buttons}>
        <Button disabled={!can('Accepted')} aria-busy={isBusy} onClick={act('accept')}>
          Accept
        </Button>
        <Button
          look={can('Paid') ? 'filled' : 'quiet'}
          disabled={!can('Paid')}
          aria-busy={isBusy}
          onClick={act('pay')}
        >
          Paid Success
        </Button>
        <Button
          className={styles.more}
          aria-haspopup="menu"
          aria-label="More"
          disabled={isBusy}
          onClick={(event) => onAct('menu', 'pointer', event.currentTarget)}
        >
          <MoreIcon />
        </Button>
      </div>
      {reasons.map((why) => (
        <p key={why} className={styles.blocked}>
          {why}
        </p>
      ))}
    </>
  );
}
