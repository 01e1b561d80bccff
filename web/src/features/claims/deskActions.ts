import { type RefObject, useEffect } from 'react';
import type { KeyGroup } from '../../ui/KeyboardHelp';
import { isForKeys } from '../../ui/keys';
import type { TableHandle } from '../../ui/table/currentRow';
import type { Claim } from './claimsQuery';

/** The actions on a claim, started by a key or a button. */
export type Action = 'accept' | 'pay' | 'copy' | 'undo' | 'menu' | 'hold' | 'reject' | 'open';

export interface Place {
  claim: Claim;
  index: number;
}

export interface Asked {
  action: Action;
  /** Only an undo works without it. */
  place: Place | undefined;
  /** Determines how the focus moves on: after a click nothing scrolls. */
  by: 'key' | 'pointer';
  /** The button that was clicked. */
  from?: HTMLElement;
}

export type Ask = (asked: Asked) => void;

export const actionOfKey: Readonly<Record<string, Action>> = {
  a: 'accept',
  p: 'pay',
  c: 'copy',
  u: 'undo',
  m: 'menu',
  h: 'hold',
  r: 'reject',
};

/** The same keys, and those of the opened claim, for the list of keyboard shortcuts. */
export const claimKeys: KeyGroup = {
  title: 'On a claim',
  keys: [
    { press: ['a'], does: 'Accept' },
    { press: ['p'], does: 'Paid Success; again, or Ctrl Enter, to confirm' },
    { press: ['u'], does: 'Undo your last Accept' },
    { press: ['h'], does: 'Put on hold' },
    { press: ['r'], does: 'Reject' },
    { press: ['Shift A'], does: 'Accept all the selected claims; asks first' },
    { press: ['m'], does: 'Show everything that can be done with it' },
    { press: ['c'], does: 'Copy account, IFSC and amount' },
    { press: ['1', '2', '3'], does: 'Copy one of them, in the opened claim' },
  ],
};

/** The letter keys that act on the focused row. */
export function useClaimKeys(table: RefObject<TableHandle<Claim> | null>, ask: Ask) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = actionOfKey[event.key];
      // A key that is held down acts once.
      if (!action || event.repeat || !isForKeys(event)) return;
      const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
      const hasRow = isOnRow && table.current?.current() !== undefined;
      if (!hasRow && action !== 'undo') return;
      event.preventDefault();
      const now = hasRow ? table.current?.seen() : undefined;
      // If the row was scrolled out of view, the key only shows it.
      if (hasRow && !now) return;
      ask({ action, place: now && { claim: now.row, index: now.index }, by: 'key' });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [table, ask]);
}
