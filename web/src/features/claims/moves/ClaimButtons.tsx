import type { ComponentProps, MouseEvent } from 'react';
import { useIsBusy } from '../../../api/rowTasks';
import { type Claim, type ClaimDetails, claimTasks, findMove } from '../../../entities/claim/claim';
import { ClaimStatusLabel } from '../../../entities/claim/status';
import { Button } from '../../../ui/Button';
import { MoreIcon } from '../../../ui/icons/icons';
import panel from '../panel/ClaimPanel.module.css';
import { type Action, buttonLabels, type RequestAction } from './actions';
import styles from './ClaimButtons.module.css';

type ButtonTarget = keyof typeof buttonLabels;

interface MoveButtonProps extends ComponentProps<typeof Button> {
  claim: Claim;
  to: ButtonTarget;
  isBlocked?: boolean;
}

/** Disabled while the move is not possible, and stays in its place. */
function MoveButton({ claim, to, isBlocked = false, ...rest }: MoveButtonProps) {
  const isBusy = useIsBusy(claimTasks, claim._id);
  const move = isBusy || isBlocked ? undefined : findMove(claim, to);
  return (
    <Button
      look={move?.tone === 'primary' ? 'filled' : 'quiet'}
      disabled={!move}
      aria-busy={isBusy}
      {...rest}
    >
      {buttonLabels[to]}
    </Button>
  );
}

function MoreButton({ claim, ...rest }: ComponentProps<typeof Button> & { claim: Claim }) {
  const isBusy = useIsBusy(claimTasks, claim._id);
  return (
    <Button aria-haspopup="menu" aria-label="More" disabled={isBusy} {...rest}>
      <MoreIcon />
    </Button>
  );
}

interface ClaimButtonsProps {
  claim: Claim;
  index: number;
  onAsk: RequestAction;
}

export function ClaimButtons({ claim, index, onAsk }: ClaimButtonsProps) {
  const ask = (action: Action) => (event: MouseEvent<HTMLElement>) =>
    onAsk({
      action,
      place: { claim, index },
      // A click by Enter or the space bar has no pointer, and its `detail` is 0.
      by: event.detail === 0 ? 'key' : 'pointer',
      from: event.currentTarget,
    });
  const shared = {
    claim,
    size: 'row',
    'aria-description': `claim of ${claim.user.username}`,
  } as const;
  const move = (to: ButtonTarget) => ({ ...shared, to, className: styles.move, onClick: ask(to) });
  return (
    <div className={styles.actions}>
      <span className={styles.status}>
        <ClaimStatusLabel status={claim.status} />
      </span>
      <MoveButton {...move('Accepted')} />
      <MoveButton {...move('Paid')} />
      <MoreButton {...shared} look="icon" className={styles.more} onClick={ask('menu')} />
    </div>
  );
}

interface PanelButtonsProps {
  claim: Claim;
  blocked: ClaimDetails['blocked'];
  onAct: (action: Action, by: 'key' | 'pointer', from?: HTMLElement) => void;
}

/** The same buttons in the panel. A move that is refused to this admin shows the reason. */
export function PanelButtons({ claim, blocked, onAct }: PanelButtonsProps) {
  const whyNot = (to: ButtonTarget) => blocked.find(({ status }) => status === to)?.sentence;
  const move = (to: ButtonTarget) => ({
    claim,
    to,
    isBlocked: whyNot(to) !== undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      // The button is about to be disabled, which would lose the focus.
      event.currentTarget.closest('dialog')?.focus();
      onAct(to, 'pointer', event.currentTarget);
    },
  });
  const openMenu = (event: MouseEvent<HTMLElement>) =>
    onAct('menu', 'pointer', event.currentTarget);
  const targets = ['Accepted', 'Paid'] as const;
  const reasons = targets.map((to) => findMove(claim, to) && whyNot(to));
  return (
    <>
      <div className={panel.buttons}>
        <MoveButton {...move('Accepted')} />
        <MoveButton {...move('Paid')} />
        <MoreButton claim={claim} className={panel.more} onClick={openMenu} />
      </div>
      {reasons.filter(Boolean).map((why) => (
        <p key={why} className={panel.blocked}>
          {why}
        </p>
      ))}
    </>
  );
}
