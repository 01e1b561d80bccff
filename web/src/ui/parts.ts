import { loadable } from './loadable';

/* Components that open on demand and are never part of a first view. */

export const PopoverPanel = loadable(() => import('./PopoverPanel'));
export const Tip = loadable(() => import('./Tip'));

/** Preloaded, so that they keep working if the server becomes unreachable. */
export const uiParts = [PopoverPanel.load, Tip.load];
