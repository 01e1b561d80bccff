import { memo } from 'react';
import { classes } from '../classes';
import { Skeleton } from '../Skeleton';
import type { CardLayout, Column } from './columns';
import styles from './DataTable.module.css';
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
 * Which placeholder stands for a row. They are used again further down, so that flying over the list only moves
 * them: more than a window draws, and a multiple of the patterns.
 */
export const placeholderOf = (index: number) => index % 64;

/** A row on its way, of the real height, so that nothing jumps when it arrives. */
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
      style={card ? { gridArea: column.card.area } : undefined}
    >
      <Skeleton width={(card ? cardWidths : widths)[(pattern + place) % 4] ?? '64%'} />
    </div>
  ));
}

const Bars = memo(PlainBars) as unknown as typeof PlainBars;
