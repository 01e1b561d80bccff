import type { MouseEvent } from 'react';
import { type Claim, type ClaimDetails, findMove } from '../../../entities/claim/claim';
import type { Action } from '../moves/actions';
import { type ButtonTarget, MoreButton, MoveButton } from '../moves/ClaimButtons';
import panel from './ClaimPanel.module.css';

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
