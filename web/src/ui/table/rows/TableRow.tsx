import { type CSSProperties, memo, type ReactNode } from 'react';
import { classes } from '../../classes';
import { Link } from '../../page/address';
import { Skeleton } from '../../text/Skeleton';
import type { CardLayout, Column, RowLayout, WithId } from '../columns/columns';
import styles from '../frame/DataTable.module.css';
import { SelectBox } from '../selection/SelectBox';

export interface RowHandlers<Row> {
  /** Undefined if rows cannot be selected. */
  onToggle: ((row: Row, index: number, withRange: boolean) => void) | undefined;
  onOpen: (row: Row, index: number) => void;
}

interface RowPlace<Row> {
  layout: RowLayout<Row>;
  index: number;
  /** The position of the row, in pixels from the top of the body. */
  top: number;
}

interface TableRowProps<Row> extends RowPlace<Row>, RowHandlers<Row> {
  row: Row;
  isChosen: boolean;
}

function PlainTableRow<Row extends WithId>(props: TableRowProps<Row>) {
  const { row, index, top, layout, isChosen, onToggle, onOpen } = props;
  const { columns, card } = layout;
  return (
    // Focusable by script only: when a button in the row becomes disabled, and for the keys j and k.
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-row-id={row._id}
      className={classes(rowClass(card, !!onToggle), isChosen && styles.chosen)}
      style={placeOf(layout, top)}
    >
      {columns.map((column, place) => (
        <div key={column.key} role="cell" {...cellLook(column, card)}>
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
          {/* On a card a finger could not tell two targets apart: the panel has the link. */}
          {column.href && !card ? (
            <Link href={column.href(row)} tabIndex={-1} className={styles.open}>
              {contentOf(column, row, index)}
            </Link>
          ) : column.opens ? (
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

export interface SkeletonRowProps<Row> extends RowPlace<Row> {
  isSelectable: boolean;
}

/** A placeholder with the height of the real row, so that nothing moves when the row arrives. */
export function SkeletonRow<Row>({ index, top, layout, isSelectable }: SkeletonRowProps<Row>) {
  return (
    <div
      aria-hidden="true"
      className={rowClass(layout.card, isSelectable)}
      style={placeOf(layout, top)}
    >
      <Bars pattern={index % widths.length} layout={layout} />
    </div>
  );
}

const widths = ['72%', '56%', '84%', '64%'];
const cardWidths = ['112px', '72px', '96px', '80px'];

function PlainBars<Row>({ pattern, layout }: { pattern: number; layout: RowLayout<Row> }) {
  const { columns, card } = layout;
  return columns.map((column, place) => (
    <div key={column.key} {...cellLook(column, card, styles.placeholder)}>
      <Skeleton width={(card ? cardWidths : widths)[(pattern + place) % 4] ?? '64%'} />
    </div>
  ));
}

const Bars = memo(PlainBars) as unknown as typeof PlainBars;

const rowClass = (card: CardLayout | undefined, isSelectable: boolean) =>
  classes(styles.row, card ? styles.card : styles.line, isSelectable && styles.selectable);

export const placeOf = <Row,>({ rowHeight }: RowLayout<Row>, top: number): CSSProperties => ({
  height: rowHeight,
  transform: `translateY(${top}px)`,
});

/** The name of a row: the text of the column that opens it. */
export function nameOf<Row>(row: Row, index: number, columns: readonly Column<Row>[]): string {
  const column = columns.find(({ opens }) => opens);
  return column?.text?.(row, index) ?? `row ${index + 1}`;
}

function cellLook<Row>(column: Column<Row>, card: CardLayout | undefined, more?: string) {
  const isAtEnd = card ? card.atEnd.includes(column.key) : column.align === 'end';
  const look = column.look && styles[column.look];
  return {
    className: classes(styles.cell, isAtEnd && styles.end, look, more),
    style: card && { gridArea: column.key },
  };
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
