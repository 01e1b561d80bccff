import { useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import { formatRupees } from '../../ui/rupees';
import { whyNotMoved } from './claimFailure';
import {
  type Claim,
  type ClaimMove,
  distrustClaims,
  moveClaim,
  readClaimAnew,
  replaceClaim,
} from './claimsQuery';

export interface ClaimNotice {
  claim: Claim;
  target: ClaimMove;
  text: string[];
  /** `unknown`: the answer was lost and the truth could not be read yet. */
  state: 'refused' | 'checking' | 'unknown' | 'checked';
}

const nameOf = (claim: Claim) =>
  `The claim of ${claim.user.username} (${formatRupees(claim.amount)})`;

/** Moves claims, one request per claim at a time, and tells what became of each. */
export function useClaimMoves() {
  const client = useQueryClient();
  // A ref, because two clicks may come before one render.
  const underWay = useRef(new Set<string>());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notices, setNotices] = useState<ReadonlyMap<string, ClaimNotice>>(new Map());
  const [lastMoved, setLastMoved] = useState('');

  const lock = useCallback((id: string, locked: boolean) => {
    if (locked) underWay.current.add(id);
    else underWay.current.delete(id);
    setBusy(new Set(underWay.current));
  }, []);

  const dismiss = useCallback((id: string) => {
    setNotices((now) => new Map([...now].filter(([key]) => key !== id)));
  }, []);

  const tell = useCallback((notice: ClaimNotice) => {
    setNotices((now) => new Map(now).set(notice.claim._id, notice));
  }, []);

  const check = useCallback(
    async (claim: Claim, target: ClaimMove) => {
      const lines = [`${nameOf(claim)}: no answer came back.`];
      const unknown = 'The outcome is not known yet.';
      tell({ claim, target, state: 'checking', text: [...lines, `${unknown} Checking…`] });
      try {
        const now = await readClaimAnew(client, claim._id);
        const truth = now ? `The server says it is ${now.status}.` : 'It is no longer in the list.';
        const next = now?.moves.includes(target) ? ' You can try again.' : '';
        tell({ claim, target, state: 'checked', text: [...lines, `Checked: ${truth}${next}`] });
        lock(claim._id, false);
      } catch (error) {
        // The row stays locked: nobody should pay on a guess.
        void distrustClaims(client);
        tell({
          claim,
          target,
          state: 'unknown',
          text: [...lines, `${unknown} ${sentenceOf(error)}`],
        });
      }
    },
    [client, lock, tell],
  );

  const move = useCallback(
    async (claim: Claim, target: ClaimMove) => {
      const id = claim._id;
      if (underWay.current.has(id)) return;
      lock(id, true);
      dismiss(id);
      try {
        const moved = await moveClaim(id, target);
        await replaceClaim(client, id, () => moved);
        setLastMoved(`${nameOf(moved)} is now ${moved.status}.`);
        lock(id, false);
      } catch (error) {
        if (isOutcomeUnknown(error)) return check(claim, target);
        const text = [`${nameOf(claim)} was not changed.`, whyNotMoved(error)];
        tell({ claim, target, state: 'refused', text });
        await applyConflict(error, (change) => replaceClaim(client, id, change));
        // The failure itself is told above; a failing reload is told by the table.
        await readClaimAnew(client, id).catch(() => undefined);
        lock(id, false);
      }
    },
    [client, check, dismiss, lock, tell],
  );

  return useMemo(
    () => ({ busy, notices, lastMoved, move, check, dismiss }),
    [busy, notices, lastMoved, move, check, dismiss],
  );
}

/** Until the list is read again the row shows the status the server named, and allows nothing. */
async function applyConflict(
  error: unknown,
  replace: (change: (claim: Claim) => Claim) => Promise<void>,
) {
  const status = error instanceof RefusedError ? error.fields.status : undefined;
  if (status)
    await replace((claim) => ({ ...claim, status: status as Claim['status'], moves: [] }));
}

interface RowActions {
  busy: ReadonlySet<string>;
  onAccept: (claim: Claim) => void;
  onPay: (claim: Claim) => void;
}

const RowActionsContext = createContext<RowActions | null>(null);
export const ClaimRowActions = RowActionsContext.Provider;

export function useRowActions(): RowActions {
  const actions = useContext(RowActionsContext);
  if (!actions) throw new Error('Claim actions stand outside the claims screen');
  return actions;
}
