import type { Claim } from './claimsQuery';

/** What can be asked for on a claim, by a key or by a button. */
export type Action = 'accept' | 'pay' | 'copy' | 'undo' | 'menu' | 'hold' | 'reject' | 'open';

export interface Place {
  claim: Claim;
  index: number;
}

export interface Asked {
  action: Action;
  /** Only an undo needs none. */
  place: Place | undefined;
  /** Where the focus goes on to: what is done with the pointer scrolls nothing. */
  by: 'key' | 'pointer';
  /** The button that asked. */
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
