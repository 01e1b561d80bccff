import { classes } from '../classes';
import { Skeleton } from '../Skeleton';
import type { CardLayout, Column } from './columns';
import styles from './DataTable.module.css';
import { cellClass } from './TableRow';

interface SkeletonRowsProps<Row> {
  columns: readonly Column<Row>[];
  rowHeight: number;
  card: CardLayout | undefined;
}

const widths = ['72%', '56%', '84%', '64%'];
const cardWidths = ['112px', '72px', '96px', '80px'];

/** As many rows as the window can show, each of the real height, so that nothing jumps when they arrive. */
export function SkeletonRows<Row>({ columns, rowHeight, card }: SkeletonRowsProps<Row>) {
  const count = Math.max(3, Math.floor((window.innerHeight - 160) / rowHeight));
  return (
    <div
      role="rowgroup"
      className={styles.body}
      style={{ height: count * rowHeight }}
      aria-hidden="true"
    >
      {Array.from({ length: count }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
          key={index}
          className={classes(styles.row, card ? styles.card : styles.line)}
          style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
        >
          {columns.map((column, position) => (
            <div
              key={column.key}
              className={classes(cellClass(column, card), styles.placeholder)}
              style={card ? { gridArea: column.card.area } : undefined}
            >
              <Skeleton width={(card ? cardWidths : widths)[(index + position) % 4] ?? '64%'} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
