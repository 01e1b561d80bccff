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
