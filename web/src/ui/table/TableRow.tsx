import { memo, type ReactNode } from 'react';
import { classes } from '../classes';
import type { CardLayout, Column } from './columns';
import styles from './DataTable.module.css';

interface TableRowProps<Row> {
  row: Row;
  id: string;
  index: number;
  height: number;
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
}

function PlainTableRow<Row>({ row, id, index, height, columns, card }: TableRowProps<Row>) {
  return (
    // Focusable by script only: where the focus goes when a row's button becomes disabled.
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-row-id={id}
      className={classes(styles.row, card ? styles.card : styles.line)}
      style={{ height, transform: `translateY(${index * height}px)` }}
    >
      {columns.map((column) => (
        <div
          key={column.key}
          role="cell"
          className={cellClass(column, card)}
          style={card ? { gridArea: column.card.area } : undefined}
        >
          {card && column.card.label && (
            <span className={styles.cardLabel}>{`${column.header} `}</span>
          )}
          {clipped(column.cell(row, index), column.header)}
        </div>
      ))}
    </div>
  );
}

/**
 * Memoised: scrolling, and a change in one row, must not draw the others again. A list that was read anew
 * draws all those in view, since each of its rows is a new object, and may stand at a new index.
 */
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

export function cellClass<Row>(column: Column<Row>, card: CardLayout | undefined): string {
  const isAtEnd = card ? card.atEnd.includes(column.card.area) : column.align === 'end';
  return classes(styles.cell, isAtEnd && styles.end, column.look && styles[column.look]);
}

function clipped(content: ReactNode, header: string): ReactNode {
  if (typeof content !== 'string') return content;
  return (
    <span className={styles.clip} title={content} data-clipped={header}>
      {content}
    </span>
  );
}
