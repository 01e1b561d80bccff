import type { ReactNode } from 'react';
import { Link } from '../../ui/page/address';
import styles from './Home.module.css';

export interface FigureColumn<Row> {
  header: string;
  text: (row: Row) => string;
  /** Without it the cell is plain text. */
  link?: ((row: Row) => string | null) | undefined;
}

interface FigureTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The first one names the row. */
  head: { header: string; cell: (row: Row) => ReactNode };
  columns: readonly FigureColumn<Row>[];
}

/** Figures of which each is a link to the list that it counts. */
export function FigureTable<Row>({ label, rows, keyOf, head, columns }: FigureTableProps<Row>) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{head.header}</th>
          {columns.map(({ header }) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{head.cell(row)}</th>
            {columns.map(({ header, text, link }) => {
              const href = link?.(row);
              return (
                <td key={header} data-label={header}>
                  {href ? <Link href={href}>{text(row)}</Link> : text(row)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
