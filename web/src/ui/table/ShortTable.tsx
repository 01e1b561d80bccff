import type { ReactNode } from 'react';
import type { WithId } from './columns/columns';
import styles from './ShortTable.module.css';

export interface ShortColumn<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Buttons explain themselves: the header is for screen readers only. */
  isAction?: boolean;
}

interface ShortTableProps<Row> {
  label: string;
  /** The first one names the row. */
  columns: readonly ShortColumn<Row>[];
  rows: readonly Row[];
}

/** A few rows that need no search, paging or sorting. On narrow windows each row is a card. */
export function ShortTable<Row extends WithId>({ label, columns, rows }: ShortTableProps<Row>) {
  return (
    <table aria-label={label} className={styles.table}>
      <thead>
        <tr>
          {columns.map(({ header, isAction }) => (
            <th key={header} scope="col">
              <span className={isAction ? 'visually-hidden' : undefined}>{header}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row._id} data-row-id={row._id}>
            {columns.map(({ header, cell, isAction }, place) =>
              place === 0 ? (
                <th key={header} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={header} data-header={isAction ? undefined : header}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
