import { loadable } from './loadable';

/* What is shown only when asked for, and never in a first view. */

export const PopoverPanel = loadable(() => import('./PopoverPanel'));
export const ConfirmDialog = loadable(() => import('./ConfirmDialog'));
export const Tip = loadable(() => import('./Tip'));

/** All at hand, so that a server that goes away later takes none of them. */
export const uiParts = [PopoverPanel.load, ConfirmDialog.load, Tip.load];
