import type { ComponentProps, MouseEvent } from 'react';
import { useIsBusy } from '../../../api/rowTasks';
import { type Claim, claimTasks, findMove } from '../../../entities/claim/claim';
import { ClaimStatusLabel } from '../../../entities/claim/status';
import { Button } from '../../../ui/Button';
import { MoreIcon } from '../../../ui/icons/icons';
import { Clipped } from '../../../ui/table/rows/TableRow';
import { CopyButton } from '../../../ui/text/CopyButton';
import { formatDay } from '../../../ui/text/dates';
import { shownName } from '../../../ui/text/names';
import { shortRupees } from '../../../ui/text/rupees';
import { type Action, buttonLabels, buttonPermissions, type RequestAction } from './actions';
import styles from './ClaimButtons.module.css';

export type ButtonTarget = keyof typeof buttonLabels;

interface MoveButtonProps extends ComponentProps<typeof Button> {
  claim: Claim;
  to: ButtonTarget;
  isBlocked?: boolean;
}

/** Disabled while the move is not possible, and stays in its place. */
export function MoveButton({ claim, to, isBlocked = false, ...rest }: MoveButtonProps) {
  const isBusy = useIsBusy(claimTasks, claim._id);
  const move = isBusy || isBlocked ? undefined : findMove(claim, to);
  return (
    <Button
      look={move?.tone === 'primary' ? 'filled' : 'quiet'}
      needs={buttonPermissions[to]}
      disabled={!move}
      aria-busy={isBusy}
      {...rest}
    >
      {buttonLabels[to]}
    </Button>
  );
}

export function MoreButton({ claim, ...rest }: ComponentProps<typeof Button> & { claim: Claim }) {
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
  const shared = { claim, size: 'row' } as const;
  // The same button is in every row, and a screen reader may list them all.
  const named = (label: string) => ({
    'aria-label': `${label}, ${shownName(claim.user)}, ${shortRupees(claim.amount)}`,
  });
  const move = (to: ButtonTarget) => ({
    ...shared,
    ...named(buttonLabels[to]),
    to,
    className: styles.move,
    onClick: ask(to),
  });
  return (
    <div className={styles.actions}>
      <span className={styles.status}>
        <ClaimStatusLabel status={claim.status} />
      </span>
      {claim.payout && <PayoutNote payout={claim.payout} />}
      <span className={styles.moves}>
        <MoveButton {...move('Accepted')} />
        <MoveButton {...move('Paid')} />
      </span>
      <MoreButton
        {...shared}
        {...named('More')}
        look="icon"
        className={styles.more}
        onClick={ask('menu')}
      />
    </div>
  );
}

/** What was paid: the bank's reference, by whom and when. */
function PayoutNote({ payout }: Pick<Claim, 'payout'>) {
  if (!payout) return null;
  const { reference, by, at } = payout;
  return (
    <span className={styles.payout}>
      {reference && (
        <span className={styles.reference}>
          <Clipped header="Bank reference">{reference}</Clipped>
          <CopyButton what="bank reference" text={reference} isTight />
        </span>
      )}
      <Clipped header="Paid">{`${by}, ${formatDay(at)}`}</Clipped>
    </span>
  );
}
