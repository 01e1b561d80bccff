/*
 * The position of a table is stored in the browser's history entry, so that Back, Forward and a reload return to it.
 * A new entry (a link, the menu, another filter) has no position and starts at the top.
 */

export interface Place {
  /** The index of the top row, plus the fraction of it that was scrolled away. */
  top: number;
  /** The minimum number of rows: as many as were scrolled to. */
  count: number;
  /** The id of the current row. Not its index: rows may have been added above it. */
  id?: string | undefined;
}

export const savedPlace = (): Place => ({ top: 0, count: 0, ...history.state });

export const clearSavedPlace = () => history.replaceState(null, '');
