import { type CSSProperties, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { Alert } from '../Alert';
import { Button } from '../Button';
import { classes } from '../classes';
import { countOf } from '../rupees';
import { useCardLayout } from './cardLayout';
import type { CardLayout, Column, List } from './columns';
import styles from './DataTable.module.css';
import { NewAbove } from './NewAbove';
import { SkeletonRows } from './SkeletonRows';
import { useSteadyRows } from './steadyRows';
import { TableBody } from './TableBody';
import { cellClass } from './TableRow';

interface DataTableProps<Row> {
  label: string;
  /** Singular, e.g. `claim`: the footer counts it, failures name it. */
  noun: string;
  columns: readonly Column<Row>[];
  /** Narrowest first. */
  cards: readonly CardLayout[];
  list: List<Row>;
  idOf: (row: Row) => string;
  rowHeight?: number;
  /** What to do when there is nothing to show. */
  empty: ReactNode;
  /** `inside` fills the page's height and scrolls; `page` grows with its rows. */
  scroll?: 'inside' | 'page';
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    noun,
    columns,
    cards,
    list,
    idOf,
    rowHeight = 40,
    empty,
    scroll = 'inside',
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [newAbove, setNewAbove] = useState(0);
  const [reading, setReading] = useState<string | null>(null);
  const card = useCardLayout(cards);
  const height = card?.height ?? rowHeight;
  const { rows, failure } = list;
  const isBusy = rows === undefined && failure === undefined;
  const hasRows = rows !== undefined && rows.length > 0;
  const isHeld = scroll === 'inside' && hasRows;
  useSteadyRows(scroller, isHeld);

  // A finger has no hover: a tap on clipped text writes it out in the footer.
  const readClipped = (event: MouseEvent) => {
    const text = (event.target as Element).closest<HTMLElement>('[data-clipped]');
    const isClipped = text && text.scrollWidth > text.clientWidth;
    setReading(isClipped ? `${text.dataset.clipped}: ${text.textContent}` : null);
  };

  return (
    <>
      {failure !== undefined && (
        <Alert tone="bad" action={<Retry list={list} />}>
          <p>
            {rows
              ? `The ${noun}s could not be refreshed. These are from before.`
              : `The ${noun}s could not be loaded.`}
          </p>
          <p>{failure}</p>
        </Alert>
      )}
      <div className={classes(styles.frame, styles[scroll], card && styles.asCards)}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tap only helps fingers; the text is whole for readers */}
        <div
          ref={scroller}
          role="table"
          aria-label={label}
          aria-rowcount={rows ? rows.length + 1 : -1}
          aria-busy={isBusy}
          // A scrolling box must be reachable by keyboard
          tabIndex={scroll === 'inside' ? 0 : undefined}
          className={classes(styles.table, (hasRows || isBusy) && styles.tall)}
          style={tracksOf(columns, card)}
          onClick={readClipped}
        >
          <div role="rowgroup" className={styles.head}>
            <div role="row" aria-rowindex={1} className={classes(styles.headRow, styles.line)}>
              {columns.map((column) => (
                <div key={column.key} role="columnheader" className={cellClass(column, undefined)}>
                  <span className={styles.clip}>{column.header}</span>
                </div>
              ))}
            </div>
          </div>
          {isBusy && <SkeletonRows columns={columns} rowHeight={height} card={card} />}
          {hasRows && (
            <TableBody
              {...{ rows, columns, idOf, card, scroller, isHeld, setNewAbove }}
              rowHeight={height}
            />
          )}
        </div>
        {isHeld && <NewAbove count={newAbove} {...{ noun, scroller }} />}
        {rows?.length === 0 && <div className={styles.empty}>{empty}</div>}
        {isBusy && <p role="status" className="visually-hidden">{`Loading ${noun}s…`}</p>}
        {hasRows && (
          <p className={styles.foot} aria-live="off">
            {reading ?? countOf(rows.length, noun)}
          </p>
        )}
      </div>
    </>
  );
}

function Retry<Row>({ list }: { list: List<Row> }) {
  return (
    // Not disabled while it works: a disabled button would drop the focus to the top of the page.
    <Button onClick={list.isLoading ? undefined : list.reload} aria-busy={list.isLoading}>
      {list.isLoading ? 'Retrying…' : 'Retry'}
    </Button>
  );
}

function tracksOf<Row>(
  columns: readonly Column<Row>[],
  card: CardLayout | undefined,
): CSSProperties {
  return {
    '--tracks': columns.map((column) => column.width).join(' '),
    '--card-columns': card?.columns,
    '--card-rows': card?.rows ?? 'none',
    '--card-areas': card?.areas,
  } as CSSProperties;
}
