import { lazy } from 'react';
import type RowPanelOf from './RowPanel';
import type SelectionBarOf from './SelectionBar';
import { toolPanels } from './toolPanels';

/** What a table shows or does only later: the rows do not wait for it. */
const load = {
  selectionBar: () => import('./SelectionBar'),
  rowPanel: () => import('./RowPanel'),
  placeKeeper: () => import('./PlaceKeeper'),
};

// `lazy` forgets that these are made for any kind of row.
export const SelectionBar = lazy(load.selectionBar) as unknown as typeof SelectionBarOf;
export const RowPanel = lazy(load.rowPanel) as unknown as typeof RowPanelOf;

/** A timer set in the frame's callback fires after that frame is painted: what is fetched then, no row waits for. */
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
export const PlaceKeeper = lazy(() => painted().then(load.placeKeeper));

/** All at hand, so that a server that goes away later takes none of them. */
export const tableParts = [...Object.values(load), ...toolPanels];
