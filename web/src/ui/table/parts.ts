import { lazy } from 'react';
import type RowPanelOf from './RowPanel';
import type SelectionBarOf from './SelectionBar';
import { toolPanels } from './toolPanels';

/** Parts of a table that load later: the rows do not wait for them. */
const load = {
  selectionBar: () => import('./SelectionBar'),
  rowPanel: () => import('./RowPanel'),
  scrollRestorer: () => import('./ScrollRestorer'),
};

// `lazy` loses the type parameter of these generic components.
export const SelectionBar = lazy(load.selectionBar) as unknown as typeof SelectionBarOf;
export const RowPanel = lazy(load.rowPanel) as unknown as typeof RowPanelOf;

/** A timer set in an animation frame fires after that frame is painted, so this load does not delay the rows. */
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
export const ScrollRestorer = lazy(() => painted().then(load.scrollRestorer));

/** Preloaded, so that they keep working if the server becomes unreachable. */
export const tableParts = [...Object.values(load), ...toolPanels];
