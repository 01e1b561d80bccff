import { useQuery } from '@tanstack/react-query';
import { Menu, type MenuItem } from '../../ui/Menu';
import { detailsOptions, newer } from './claimDetails';
import { changeSince } from './claimNow';
import type { Claim, ClaimStatus } from './claimsQuery';
import { menuMoves, wordsOf } from './moveWords';

interface ClaimMenuProps {
  /** As it was when the menu was asked for: what it offers does not change under the pointer. */
  claim: Claim;
  /** The claim as the list has it now. */
  row: Claim;
  anchor: HTMLElement;
  /** Absent where the details are open already. */
  onOpen?: (() => void) | undefined;
  onCopy: () => void;
  onMove: (target: ClaimStatus) => void;
  onClose: () => void;
}

/** What can be done with a claim beside the two buttons. */
export function ClaimMenu(props: ClaimMenuProps) {
  const { claim, row, anchor, onOpen, onCopy, onMove, onClose } = props;
  // Why a move is refused to this admin is known to the server alone; until it has said so, it may be asked for.
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
