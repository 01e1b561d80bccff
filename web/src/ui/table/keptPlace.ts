/*
 * Where a table stood is kept with the step of the browser's history, so that Back, Forward and a reload return to
 * it. A new step, be it a link, the menu or another filter, has none and starts at the top.
 */

export interface Place {
  /** The row at the top, with the part of it that was scrolled away. */
  top: number;
  /** How many rows there were at least: as many as were scrolled to. */
  count: number;
  /** Of the current row. Not its index: rows may have come above it since. */
  id?: string | undefined;
}

export const keptPlace = (): Place => ({ top: 0, count: 0, ...history.state });

export const forgetPlace = () => history.replaceState(null, '');
