import { type RefObject, useLayoutEffect } from 'react';
import { type Claim, type ClaimStatus, type Move, movesOf } from '../../../entities/claim/claim';
import { isShortcut } from '../../../ui/page/keys';
import { stopKeys } from '../../../ui/page/quietKeys';
import type { TableHandle } from '../../../ui/table/rows/currentRow';

/** The actions on a claim, started by a key or a button. A status is the target of a move. */
export type Action = ClaimStatus | 'copy' | 'undo' | 'menu' | 'open';

export const actionOfKey: Readonly<Record<string, Action>> = {
  a: 'Accepted',
  p: 'Paid',
  h: 'On hold',
  r: 'Rejected',
  u: 'undo',
  c: 'copy',
  m: 'menu',
};

export interface Place {
  claim: Claim;
  index: number;
}

export interface ActionRequest {
  action: Action;
  /** Only an undo works without it. */
  place: Place | undefined;
  /** Determines how the focus moves on: after a click nothing scrolls. */
  by: 'key' | 'pointer';
  from?: HTMLElement;
}

export type RequestAction = (request: ActionRequest) => void;

export const questionOf: Partial<Record<ClaimStatus, string>> = {
  Pending: 'Release this claim?',
  'On hold': 'Put this claim on hold?',
  Rejected: 'Reject this claim?',
  Returned: 'Did the bank send this payment back?',
};

/** What is typed after its key is meant for the dialog, even if that does not open. */
export const opensDialog = (action: Action) => action === 'Paid' || action in questionOf;

/** The moves with their own button in every row, whether or not they are possible now. */
export const buttonLabels = { Accepted: 'Accept', Paid: 'Paid Success' } as const;

/** What the buttons need. An admin without it does not get the button. */
export const buttonPermissions = { Accepted: 'claims.accept', Paid: 'claims.pay' } as const;

export const menuMoves = (claim: Claim) => movesOf(claim).filter(({ to }) => !(to in buttonLabels));

export function keyOf(move: Move): string | undefined {
  const action = move.isUndo ? 'undo' : move.to;
  return Object.keys(actionOfKey).find((key) => actionOfKey[key] === action);
}

/** The letter keys that act on the focused row. */
export function useClaimKeys(table: RefObject<TableHandle<Claim> | null>, ask: RequestAction) {
  // With the rows, as in `useShortcuts`.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = actionOfKey[event.key];
      // A key that is held down acts once.
      if (!action || event.repeat || !isShortcut(event)) return;
      const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
      const hasRow = isOnRow && table.current?.current() !== undefined;
      if (!hasRow && opensDialog(action)) stopKeys();
      if (!hasRow && action !== 'undo') return;
      event.preventDefault();
      const now = hasRow ? table.current?.seen() : undefined;
      // If the row was scrolled out of view, the key only shows it.
      if (hasRow && !now && opensDialog(action)) stopKeys();
      if (hasRow && !now) return;
      ask({ action, place: now && { claim: now.row, index: now.index }, by: 'key' });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [table, ask]);
}
