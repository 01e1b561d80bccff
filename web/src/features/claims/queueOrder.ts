import type { List } from '../../ui/table/columns';
import type { Claim, ClaimStatus } from './claimsQuery';

/** Farther than this nobody wants to be taken without having asked. */
const farthest = 500;

/**
 * Where the work goes on: the next claim that still waits in this queue, else the nearest one above, else the
 * same place. Claims that were moved stay where they are, and those under way are not waited for.
 */
export function nextInQueue(
  list: Pick<List<Claim>, 'rowAt' | 'count'>,
  from: number,
  queue: ClaimStatus,
  isBusy: (id: string) => boolean,
): number {
  const waits = (claim: Claim) => claim.status === queue && !isBusy(claim._id);
  const end = Math.min(list.count ?? 0, from + farthest);
  for (let index = from + 1; index < end; index++) {
    const claim = list.rowAt(index);
    // One that is on its way gets the focus when it arrives.
    if (claim === undefined || waits(claim)) return index;
  }
  for (let index = from - 1; index >= Math.max(0, from - farthest); index--) {
    const claim = list.rowAt(index);
    if (claim && waits(claim)) return index;
  }
  return from;
}

/** Where a claim stands in the list, or -1 where it is not at hand. */
export function placeOf(list: Pick<List<Claim>, 'rowAt' | 'count'>, id: string): number {
  const count = Math.min(list.count ?? 0, 10 * farthest);
  for (let index = 0; index < count; index++) if (list.rowAt(index)?._id === id) return index;
  return -1;
}
