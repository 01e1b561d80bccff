import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { classes } from '../../classes';
import type { CardLayout, Column, List, WithId } from '../columns/columns';
import { nextSort, type View, type ViewSchema } from '../filters/view';
import { type TableHandle, useCurrentRow } from '../rows/currentRow';
import { NewAbove } from '../rows/NewAbove';
import { ScrollRestorer, savedPlace } from '../rows/ScrollRestorer';
import { SkeletonRow } from '../rows/SkeletonRow';
import { useSteadyRows } from '../rows/steadyRows';
import { TableBody } from '../rows/TableBody';
import { useVirtualRows } from '../rows/virtualRows';
import type { Selection } from '../selection/selection';
import styles from './DataTable.module.css';
import { type Count, matchesOf } from './Summary';
import { TableHead } from './TableHead';
import { useTableKeys } from './tableKeys';

interface TableFrameProps<Row> {
  handle: Ref<TableHandle<Row>> | undefined;
  label: string;
  noun: string;
  /** The visible columns. */
  columns: readonly Column<Row>[];
  list: List<Row>;
  /** The current number of matches, if counted: the list may be older than the last move. */
  counted: Count | undefined;
  card: CardLayout | undefined;
  rowHeight: number;
  scroll: 'inside' | 'page';
  search: RefObject<HTMLInputElement | null>;
  view: View;
  schema: ViewSchema;
  change: (part: Partial<View>) => void;
  /** Undefined if rows cannot be selected. */
  selection: Selection<Row> | undefined;
  onOpen: (row: Row, index: number) => void;
  empty: ReactNode;
  /** Shown between the rows and the footer. */
  children: ReactNode;
}

export function TableFrame<Row extends WithId>(props: TableFrameProps<Row>) {
  const { label, noun, columns, list, counted, card, rowHeight, scroll, search } = props;
  const { view, schema, change, selection, empty, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState<string | null>(null);
  const { count: known = 0, isCountExact } = list;
  // The rows up to the stored position existed before, so the table can return there before the count is known.
  const count = known > 0 && !isCountExact ? Math.max(known, savedPlace().count) : known;
  const isBusy = list.count === undefined && list.failure === undefined;
  const hasRows = count > 0;
  const isHeld = scroll === 'inside' && hasRows;
  useSteadyRows(scroller, isHeld);
  const rows = useVirtualRows(scroller, body, count, rowHeight, list.key);
  const current = useCurrentRow({ handle: props.handle, list, rows, body });
  const placeNow = () => {
    const now = current.now();
    const { top, end } = rows.inView(1);
    return { top, count: end, id: now?.row._id };
  };

  // Stable functions, or every row would render again. They read the latest props through a ref.
  const latest = useRef({ selection, onOpen: props.onOpen });
  latest.current = { selection, onOpen: props.onOpen };
  const [handlers] = useState(() => ({
    onToggle: (row: Row, index: number, withRange: boolean) =>
      latest.current.selection?.toggle(row, index, withRange),
    onOpen: (row: Row, index: number) => latest.current.onOpen(row, index),
  }));

  useTableKeys({
    onSearch: () => {
      search.current?.focus();
      search.current?.select();
    },
    onMove: current.moveBy,
    onSelect: () => {
      const now = selection && current.seen();
      if (!now) return;
      flushSync(() => selection.toggle(now.row, now.index, false));
      // The selection bar makes the table shorter, and must not hide the row that the next key acts on. The new height
      // is known after the frame.
      requestAnimationFrame(() => setTimeout(current.seen));
    },
    onOpen: () => {
      const now = current.seen();
      if (now) props.onOpen(now.row, now.index);
    },
    onPress: () => (current.isInSight() ? undefined : current.seen),
  });

  // Touch has no hover: a tap on clipped text shows it in full in the footer.
  const readClipped = (event: MouseEvent) => {
    const text = (event.target as Element).closest<HTMLElement>('[data-clipped]');
    const isClipped = text && text.scrollWidth > text.clientWidth;
    setReading(isClipped ? `${text.dataset.clipped}: ${text.textContent}` : null);
  };

  const rowsInView = () => {
    const { start, end } = rows.inView();
    const found: Row[] = [];
    for (let index = start; index < end; index++) {
      const row = list.rowAt(index);
      if (row !== undefined) found.push(row);
    }
    return found;
  };
  const isAllInView = () => rowsInView().every(({ _id }) => selection?.isChosen(_id));
  const selectInView = () => selection?.setMany(rowsInView(), !isAllInView());

  const read = { count: isCountExact ? known : known - 1, isExact: isCountExact };
  // Once the admin has scrolled to the end, the list's count is better than an aborted count.
  const shown = counted?.isExact || !isCountExact ? (counted ?? read) : read;
  return (
    <div className={classes(styles.frame, styles[scroll], card && styles.asCards)}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tap is for touch only; screen readers get the full text */}
      <div
        ref={scroller}
        role="table"
        aria-label={label}
        aria-rowcount={list.count === undefined ? -1 : count + 1}
        aria-busy={isBusy || list.isOutdated}
        // A scrolling element must be reachable by keyboard.
        tabIndex={scroll === 'inside' ? 0 : undefined}
        className={classes(
          styles.table,
          (hasRows || isBusy) && styles.tall,
          list.isOutdated && styles.outdated,
        )}
        style={tracksOf(columns, card, rowHeight)}
        onClick={readClipped}
      >
        <TableHead
          {...{ columns, card }}
          sort={view.sort || schema.defaultSort}
          onSort={(field) => change({ sort: nextSort(view.sort, field, schema.defaultSort) })}
          inView={selection && !selection.isEmpty ? isAllInView() || 'some' : false}
          onSelectInView={selection && selectInView}
        />
        {isBusy && <FirstSkeletons {...{ columns, card, rowHeight }} isSelectable={!!selection} />}
        {hasRows && (
          <TableBody
            ref={body}
            {...{ list, noun, columns, rowHeight, card, rows }}
            isChosen={selection?.isChosen ?? never}
            onToggle={selection && handlers.onToggle}
            onOpen={handlers.onOpen}
            onFocusRow={current.remember}
          />
        )}
      </div>
      {isHeld && <NewAbove count={list.newAbove} onShow={list.showNew} {...{ noun, scroller }} />}
      {isHeld && !list.isOutdated && (
        <ScrollRestorer key={list.key} {...{ scroller, placeNow, view }} />
      )}
      {list.count === 0 && <div className={styles.empty}>{empty}</div>}
      {isBusy && <p role="status" className="visually-hidden">{`Loading ${noun}s…`}</p>}
      {children}
      {hasRows && (
        <p className={styles.foot} aria-live="off">
          {reading ?? matchesOf(shown, noun)}
        </p>
      )}
    </div>
  );
}

const never = () => false;

interface FirstSkeletonsProps<Row> {
  columns: readonly Column<Row>[];
  card: CardLayout | undefined;
  rowHeight: number;
  isSelectable: boolean;
}

/** Placeholders that fill the window until the first response. */
function FirstSkeletons<Row>({ columns, card, rowHeight, isSelectable }: FirstSkeletonsProps<Row>) {
  const count = Math.max(3, Math.floor((window.innerHeight - 160) / rowHeight));
  return (
    <div className={styles.body} style={{ height: count * rowHeight }} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <SkeletonRow
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
          key={index}
          {...{ index, columns, card, isSelectable }}
          height={rowHeight}
          top={index * rowHeight}
        />
      ))}
    </div>
  );
}

function tracksOf<Row>(
  columns: readonly Column<Row>[],
  card: CardLayout | undefined,
  rowHeight: number,
): CSSProperties {
  return {
    '--row-height': `${rowHeight}px`,
    '--tracks': columns.map((column) => column.width).join(' '),
    '--card-columns': card?.columns,
    '--card-rows': card?.rows ?? 'none',
    '--card-areas': card?.areas,
  } as CSSProperties;
}
