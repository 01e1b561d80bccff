import { memo, type ReactNode } from 'react';
import { classes } from '../../classes';
import type { CardLayout, Column } from '../columns/columns';
import styles from '../frame/DataTable.module.css';
import { SelectBox } from '../selection/SelectBox';

export interface RowHandlers<Row> {
  /** Undefined if rows cannot be selected. */
  onToggle: ((row: Row, index: number, withRange: boolean) => void) | undefined;
  onOpen: (row: Row, index: number) => void;
}

interface TableRowProps<Row> extends RowHandlers<Row> {
  row: Row;
  id: string;
  index: number;
  height: number;
  /** The position of the row, in pixels from the top of the body. */
  top: number;
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
  isChosen: boolean;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, height, top, columns, card, isChosen, onToggle, onOpen } = props;
  return (
    // Focusable by script only: when a button in the row becomes disabled, and for the keys j and k.
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-row-id={id}
      className={classes(
        styles.row,
        card ? styles.card : styles.line,
        onToggle && styles.selectable,
        isChosen && styles.chosen,
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {columns.map((column, place) => (
        <div
          key={column.key}
          role="cell"
          className={cellClass(column, card)}
          style={card ? { gridArea: column.key } : undefined}
        >
          {place === 0 && onToggle && (
            <SelectBox
              label={`Select ${nameOf(row, index, columns)}`}
              state={isChosen}
              onToggle={(withRange) => onToggle(row, index, withRange)}
            />
          )}
          {card && column.hasCardLabel && (
            <span className={styles.cardLabel}>{`${column.header} `}</span>
          )}
          {column.opens ? (
            // The keyboard opens a row with Enter: a tab stop in each row would make tabbing through the table long.
            <button
              type="button"
              tabIndex={-1}
              className={styles.open}
              onClick={() => onOpen(row, index)}
            >
              {contentOf(column, row, index)}
            </button>
          ) : (
            contentOf(column, row, index)
          )}
        </div>
      ))}
    </div>
  );
}

/**
 * Memoized: scrolling, or a change in one row, must not render the other rows again. A refetched page renders all its
 * rows in view, since each of them is a new object.
 */
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

/** The name of a row: the text of the column that opens it. */
export function nameOf<Row>(row: Row, index: number, columns: readonly Column<Row>[]): string {
  const column = columns.find(({ opens }) => opens);
  return column?.text?.(row, index) ?? `row ${index + 1}`;
}

export function cellClass<Row>(column: Column<Row>, card: CardLayout | undefined): string {
  const isAtEnd = card ? card.atEnd.includes(column.key) : column.align === 'end';
  return classes(styles.cell, isAtEnd && styles.end, column.look && styles[column.look]);
}

function contentOf<Row>({ cell, text, header }: Column<Row>, row: Row, index: number): ReactNode {
  const content = (cell ?? text)?.(row, index);
  return typeof content === 'string' ? <Clipped header={header}>{content}</Clipped> : content;
}

/** Text that is cut off with an ellipsis if it does not fit. Hover or tap shows it in full. */
export function Clipped({ header, children }: { header: string; children: string }) {
  return (
    <span className={styles.clip} title={children} data-clipped={header}>
      {children}
    </span>
  );
}
