import { memo, type ReactNode } from 'react';
import { classes } from '../classes';
import { Clipped } from './Clipped';
import type { CardLayout, Column } from './columns';
import styles from './DataTable.module.css';
import { SelectBox } from './SelectBox';

export interface RowHandlers<Row> {
  /** Absent where rows cannot be chosen. */
  onToggle: ((row: Row, index: number, withRange: boolean) => void) | undefined;
  onOpen: (row: Row, index: number) => void;
}

interface TableRowProps<Row> extends RowHandlers<Row> {
  row: Row;
  id: string;
  index: number;
  height: number;
  /** Where the row stands, in pixels from the top of the body. */
  top: number;
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
  isChosen: boolean;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, height, top, columns, card, isChosen, onToggle, onOpen } = props;
  return (
    // Focusable by script only: where the focus goes when a row's button becomes disabled, and by j and k.
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
          style={card ? { gridArea: column.card.area } : undefined}
        >
          {place === 0 && onToggle && (
            <SelectBox
              label={`Select ${nameOf(row, index, columns)}`}
              state={isChosen}
              onToggle={(withRange) => onToggle(row, index, withRange)}
            />
          )}
          {card && column.card.label && (
            <span className={styles.cardLabel}>{`${column.header} `}</span>
          )}
          {column.opens ? (
            // By Enter for the keyboard: a stop in each row would make the way through the table long.
            <button
              type="button"
              tabIndex={-1}
              className={styles.open}
              onClick={() => onOpen(row, index)}
            >
              {clipped(column.cell(row, index), column.header)}
            </button>
          ) : (
            clipped(column.cell(row, index), column.header)
          )}
        </div>
      ))}
    </div>
  );
}

/**
 * Memoised: scrolling, and a change in one row, must not draw the others again. A page that was read anew
 * draws all those in view, since each of its rows is a new object.
 */
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

/** What a row is called: whom it is about. */
export function nameOf<Row>(row: Row, index: number, columns: readonly Column<Row>[]): string {
  const column = columns.find(({ opens }) => opens);
  return column?.text?.(row, index) ?? `row ${index + 1}`;
}

export function cellClass<Row>(column: Column<Row>, card: CardLayout | undefined): string {
  const isAtEnd = card ? card.atEnd.includes(column.card.area) : column.align === 'end';
  return classes(styles.cell, isAtEnd && styles.end, column.look && styles[column.look]);
}

function clipped(content: ReactNode, header: string): ReactNode {
  return typeof content === 'string' ? <Clipped header={header}>{content}</Clipped> : content;
}
