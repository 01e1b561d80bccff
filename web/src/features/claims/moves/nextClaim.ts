import type { Claim, ClaimStatus } from '../../../entities/claim/claim';
import type { List } from '../../../ui/table/columns/columns';

/** The greatest distance that the focus moves without the admin asking for it. */
const farthest = 500;

/**
 * The row where the work continues: the next claim that still has this status, else the nearest one above, else the
 * same row. Moved claims stay in their place, and claims with a move in progress are skipped.
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
    // A row that is still loading gets the focus when it arrives.
    if (claim === undefined || waits(claim)) return index;
  }
  for (let index = from - 1; index >= Math.max(0, from - farthest); index--) {
    const claim = list.rowAt(index);
    if (claim && waits(claim)) return index;
  }
  return from;
}
