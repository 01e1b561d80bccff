import { memo } from 'react';
import { classes } from '../../classes';
import { Skeleton } from '../../text/Skeleton';
import type { CardLayout, Column } from '../columns/columns';
import styles from '../frame/DataTable.module.css';
import { cellClass } from './TableRow';

interface BarsProps<Row> {
  pattern: number;
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
}

interface SkeletonRowProps<Row> extends Omit<BarsProps<Row>, 'pattern'> {
  index: number;
  height: number;
  top: number;
  isSelectable: boolean;
}

const widths = ['72%', '56%', '84%', '64%'];
const cardWidths = ['112px', '72px', '96px', '80px'];

/**
 * The key of the placeholder for a row. Placeholders are reused further down, so that fast scrolling only moves them.
 * 64 is more than one window renders, and a multiple of the number of patterns.
 */
export const placeholderOf = (index: number) => index % 64;

/** A placeholder with the height of the real row, so that nothing moves when the row arrives. */
export function SkeletonRow<Row>(props: SkeletonRowProps<Row>) {
  const { index, height, top, columns, card, isSelectable } = props;
  return (
    <div
      aria-hidden="true"
      className={classes(
        styles.row,
        card ? styles.card : styles.line,
        isSelectable && styles.selectable,
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <Bars pattern={index % widths.length} columns={columns} card={card} />
    </div>
  );
}

function PlainBars<Row>({ pattern, columns, card }: BarsProps<Row>) {
  return columns.map((column, place) => (
    <div
      key={column.key}
      className={classes(cellClass(column, card), styles.placeholder)}
      style={card ? { gridArea: column.key } : undefined}
    >
      <Skeleton width={(card ? cardWidths : widths)[(pattern + place) % 4] ?? '64%'} />
    </div>
  ));
}

const Bars = memo(PlainBars) as unknown as typeof PlainBars;
