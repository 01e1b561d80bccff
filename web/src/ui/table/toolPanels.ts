import { lazy } from 'react';

/** The panels of the toolbar's buttons. Loaded on demand: most visits to a table open none of them. */
const load = {
  filterFields: () => import('./FilterFields'),
  columnChooser: () => import('./ColumnChooser'),
};

export const FilterFields = lazy(load.filterFields);
export const ColumnChooser = lazy(load.columnChooser);

export const toolPanels = Object.values(load);
