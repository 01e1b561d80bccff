import { useQuery } from '@tanstack/react-query';
import { type Claim, type ClaimStatus, claimDetailsOptions } from '../../../entities/claim/claim';
import { Menu, type MenuItem } from '../../../ui/popover/Menu';
import { shownName } from '../../../ui/text/names';
import { keyOf, menuMoves } from './actions';
import { changeSince, newerClaim } from './claimChanges';

interface ClaimMenuProps {
  /** The claim when the menu was opened, so that the items do not change under the pointer. */
  claim: Claim;
  row: Claim;
  anchor: HTMLElement;
  returnTo: HTMLElement | null;
  /** Omitted when the details are already open. */
  onOpen?: (() => void) | undefined;
  /** Called with the claim as it is now: a correction must not leave the old account in the clipboard. */
  onCopy: (claim: Claim) => void;
  onMove: (target: ClaimStatus) => void;
  onClose: () => void;
}

/** The actions on a claim other than the two buttons. */
export function ClaimMenu(props: ClaimMenuProps) {
  const { claim, row, onOpen, onCopy, onMove } = props;
  const { anchor, returnTo, onClose } = props;
  // Only the server knows why a move is refused to this admin. Until it has answered, the move is offered.
  const { data } = useQuery(claimDetailsOptions(claim._id));
  const now = newerClaim(row, data);
  const moves = menuMoves(claim).map(
    (move): MenuItem => ({
      label: move.needsReason ? `${move.label}…` : move.label,
      hint: keyOf(move),
      why:
        changeSince(claim, now, move.to, data) ||
        data?.blocked.find(({ status }) => status === move.to)?.sentence,
      onChoose: () => onMove(move.to),
    }),
  );
  // Unlike its row, the claim has its whole account number if that was shown in the panel.
  const copied = now.version === claim.version ? claim : now;
  const looks: MenuItem[] = [
    ...(onOpen ? [{ label: 'Details', hint: 'Enter', onChoose: onOpen }] : []),
    { label: 'Copy bank details', hint: 'c', onChoose: () => onCopy(copied) },
  ];
  const [first, ...rest] = looks;
  const items = first ? [...moves, { ...first, isApart: moves.length > 0 }, ...rest] : moves;
  return (
    <Menu label={`Claim of ${shownName(claim.user)}`} {...{ anchor, returnTo, items, onClose }} />
  );
}
