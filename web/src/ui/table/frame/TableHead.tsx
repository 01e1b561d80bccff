import { classes } from '../../classes';
import type { CardLayout, Column } from '../columns/columns';
import { cellClass } from '../rows/TableRow';
import { SelectBox } from '../selection/SelectBox';
import styles from './DataTable.module.css';
import { type Order, SortButton } from './SortButton';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
  /** The sort field with its sign; the default order if nothing else is chosen. */
  sort: string;
  onSort: ((field: string) => void) | undefined;
  inView: boolean | 'some';
  /** Undefined if rows cannot be selected. */
  onSelectInView: (() => void) | undefined;
}

export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, card, sort, onSort, inView, onSelectInView } = props;
  return (
    <div role="rowgroup" className={styles.head}>
      <div
        role="row"
        aria-rowindex={1}
        className={classes(styles.headRow, styles.line, onSelectInView && styles.selectable)}
      >
        {columns.map((column, place) => (
          <div
            key={column.key}
            role="columnheader"
            aria-sort={column.sort ? sortOf(column.sort, sort) : undefined}
            className={cellClass(column, undefined)}
          >
            {/* With cards the header is visually hidden: nothing in it may take the focus. */}
            {place === 0 && onSelectInView && !card && (
              <SelectBox label="Select the rows in view" state={inView} onToggle={onSelectInView} />
            )}
            {column.sort && onSort && !card ? (
              <SortButton
                label={column.header}
                order={sortOf(column.sort, sort)}
                isAtEnd={column.align === 'end'}
                onSort={() => column.sort && onSort(column.sort)}
              />
            ) : (
              <span className={styles.clip}>{column.header}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function sortOf(field: string, sort: string): Order {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : 'none';
}
