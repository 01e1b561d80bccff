import { useQuery } from '@tanstack/react-query';
import { Menu, type MenuItem } from '../../ui/Menu';
import { detailsOptions, newer } from './claimDetails';
import { changeSince } from './claimNow';
import type { Claim, ClaimStatus } from './claimsQuery';
import { menuMoves, wordsOf } from './moveWords';

interface ClaimMenuProps {
  /** The claim when the menu was opened, so that the items do not change under the pointer. */
  claim: Claim;
  /** The current claim in the list. */
  row: Claim;
  anchor: HTMLElement;
  /** Omitted when the details are already open. */
  onOpen?: (() => void) | undefined;
  onCopy: () => void;
  onMove: (target: ClaimStatus) => void;
  onClose: () => void;
}

/** The actions on a claim other than the two buttons. */
export function ClaimMenu(props: ClaimMenuProps) {
  const { claim, row, anchor, onOpen, onCopy, onMove, onClose } = props;
  // Only the server knows why a move is refused to this admin. Until it has answered, the move is offered.
  const { data } = useQuery(detailsOptions(claim._id));
  const now = newer(row, data);
  const moves = menuMoves(claim).map((target): MenuItem => {
    const words = wordsOf(claim.status, target);
    return {
      label: words?.label ?? target,
      hint: words?.key,
      why:
        changeSince(claim, now, target, data) ||
        data?.blocked.find(({ status }) => status === target)?.sentence,
      onChoose: () => onMove(target),
    };
  });
  const looks: MenuItem[] = [
    ...(onOpen ? [{ label: 'Details', hint: 'Enter', onChoose: onOpen }] : []),
    { label: 'Copy bank details', hint: 'c', onChoose: onCopy },
  ];
  const [first, ...rest] = looks;
  const items = first ? [...moves, { ...first, isApart: moves.length > 0 }, ...rest] : moves;
  return <Menu label={`Claim of ${claim.user.username}`} {...{ anchor, items, onClose }} />;
}
