import type { ReactNode } from 'react';
import { LoadTrouble } from '../notices/Alert';
import { Skeleton } from '../text/Skeleton';
import type { List, WithId } from './columns/columns';
import styles from './ShortList.module.css';

export interface ShortColumn<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Buttons explain themselves: the header is for screen readers only. */
  isAction?: boolean;
}

interface ShortListProps<Row> {
  /** The plural, e.g. `keys`. */
  nouns: string;
  list: Pick<List<Row>, 'failure' | 'isLoading' | 'isHeldUp' | 'reload'> & {
    rows: readonly Row[] | undefined;
  };
  /** The first one names the row. */
  columns: readonly ShortColumn<Row>[];
  /** What the list is for. */
  intro: string;
  /** How to begin, if it is empty. */
  beginning: string;
  add: ReactNode;
}

/** A few rows that need no search, paging or sorting, and the button that adds one. */
export function ShortList<Row extends WithId>(props: ShortListProps<Row>) {
  const { nouns, columns, intro, beginning, add } = props;
  const { rows, failure } = props.list;
  return (
    <>
      <div className={styles.intro}>
        <p className="quiet">{intro}</p>
        {rows && rows.length > 0 && add}
      </div>
      <LoadTrouble what={`The ${nouns}`} isLoaded={rows !== undefined} reading={props.list} />
      {rows && rows.length > 0 && <Rows {...{ nouns, columns, rows }} />}
      {rows?.length === 0 && (
        <div className={styles.empty}>
          <p className="heading">{`No ${nouns} yet`}</p>
          <p className="quiet">{beginning}</p>
          {add}
        </div>
      )}
      {!rows && failure === undefined && (
        <div role="status" aria-label={`Loading the ${nouns}…`} className={styles.skeleton}>
          {['40%', '60%', '50%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
    </>
  );
}

interface RowsProps<Row> extends Pick<ShortListProps<Row>, 'nouns' | 'columns'> {
  rows: readonly Row[];
}

/** On narrow windows each row is a card. */
function Rows<Row extends WithId>({ nouns, columns, rows }: RowsProps<Row>) {
  return (
    <table aria-label={`All ${nouns}`} className={styles.table}>
      <thead>
        <tr>
          {columns.map(({ header, isAction }) => (
            <th key={header} scope="col">
              <span className={isAction ? 'visually-hidden' : undefined}>{header}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row._id} data-row-id={row._id}>
            {columns.map(({ header, cell, isAction }, place) =>
              place === 0 ? (
                <th key={header} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={header} data-header={isAction ? undefined : header}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
