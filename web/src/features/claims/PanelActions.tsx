import type { MouseEvent } from 'react';
import { useIsBusy } from '../../api/rowTasks';
import {
  type Claim,
  type ClaimDetails,
  type ClaimStatus,
  findMove,
} from '../../entities/claim/claim';
import { claimTasks } from '../../entities/claim/claimTasks';
import { Button } from '../../ui/Button';
import { MoreIcon } from '../../ui/icons/MoreIcon';
import type { Action } from './actions';
import styles from './ClaimPanel.module.css';

interface PanelActionsProps {
  claim: Claim;
  blocked: ClaimDetails['blocked'];
  onAct: (action: Action, by: 'key' | 'pointer', from?: HTMLElement) => void;
}

/** The two buttons of the row and its menu. A move that is refused to this admin shows the reason. */
export function PanelActions({ claim, blocked, onAct }: PanelActionsProps) {
  const isBusy = useIsBusy(claimTasks, claim._id);
  const whyNot = (target: ClaimStatus) => blocked.find(({ status }) => status === target)?.sentence;
  const can = (target: ClaimStatus) =>
    findMove(claim, target) !== undefined && !isBusy && whyNot(target) === undefined;
  const act = (action: Action) => (event: MouseEvent<HTMLElement>) => {
    // The button is about to be disabled, which would lose the focus.
    event.currentTarget.closest('dialog')?.focus();
    onAct(action, 'pointer', event.currentTarget);
  };
  const reasons = (['Accepted', 'Paid'] as const)
    .filter((target) => findMove(claim, target))
    .map(whyNot)
    .filter((why) => why !== undefined);

  return (
    <>
      <div className={styles.buttons}>
        <Button disabled={!can('Accepted')} aria-busy={isBusy} onClick={act('Accepted')}>
          Accept
        </Button>
        <Button
          look={can('Paid') ? 'filled' : 'quiet'}
          disabled={!can('Paid')}
          aria-busy={isBusy}
          onClick={act('Paid')}
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
