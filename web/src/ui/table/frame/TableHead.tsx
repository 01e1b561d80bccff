import { classes } from '../../classes';
import { SortDownIcon, SortUpIcon } from '../../icons/icons';
import type { RowLayout } from '../columns/columns';
import { SelectBox } from '../selection/SelectBox';
import styles from './DataTable.module.css';
import head from './TableHead.module.css';

interface TableHeadProps<Row> {
  layout: RowLayout<Row>;
  /** The sort field with its sign; the default order if nothing else is chosen. */
  sort: string;
  onSort: (field: string) => void;
  inView: boolean | 'some';
  /** Undefined if rows cannot be selected. */
  onSelectInView: (() => void) | undefined;
}

export function TableHead<Row>(props: TableHeadProps<Row>) {
  const { layout, sort, onSort, inView, onSelectInView } = props;
  return (
    <div role="rowgroup" className={styles.head}>
      <div
        role="row"
        aria-rowindex={1}
        className={classes(styles.headRow, styles.line, onSelectInView && styles.selectable)}
      >
        {layout.columns.map(({ key, header, align, sort: field }, place) => {
          const isAtEnd = align === 'end';
          const order = orderOf(field, sort);
          return (
            <div
              key={key}
              role="columnheader"
              aria-sort={field ? order : undefined}
              className={classes(styles.cell, isAtEnd && styles.end)}
            >
              {/* With cards the header is visually hidden: nothing in it may take the focus. */}
              {place === 0 && onSelectInView && !layout.card && (
                <SelectBox
                  label="Select the rows in view"
                  state={inView}
                  onToggle={onSelectInView}
                />
              )}
              {field && !layout.card ? (
                // Screen readers get the order from `aria-sort`.
                <button
                  type="button"
                  className={classes(head.sort, isAtEnd && head.atEnd)}
                  onClick={() => onSort(field)}
                >
                  <span className={styles.clip}>{header}</span>
                  {order === 'descending' ? <SortDownIcon /> : <SortUpIcon />}
                </button>
              ) : (
                <span className={styles.clip}>{header}</span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function orderOf(field: string | undefined, sort: string) {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : 'none';
}
