import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../Button';
import { classes } from '../../classes';
import { useShortcuts } from '../../page/keys';
import { countOf } from '../../text/rupees';
import type { List, RowLayout, WithId } from '../columns/columns';
import type { ViewControl } from '../filters/useView';
import { nextSort } from '../filters/view';
import { type TableHandle, useCurrentRow } from '../rows/currentRow';
import { clearSavedPlace, ScrollRestorer, savedPlace } from '../rows/ScrollRestorer';
import { useSteadyRows } from '../rows/steadyRows';
import { TableBody } from '../rows/TableBody';
import { SkeletonRow, type SkeletonRowProps } from '../rows/TableRow';
import { useVirtualRows } from '../rows/virtualRows';
import type { Selection } from '../selection/selection';
import styles from './DataTable.module.css';
import { type Count, matchesOf } from './Summary';
import { TableHead } from './TableHead';

export interface TableBasics<Row> {
  label: string;
  /** Singular, e.g. `claim`: used in the footer's count and in error messages. */
  noun: string;
  list: List<Row>;
  control: ViewControl;
  /** `inside` fills the height of the page and scrolls; `page` grows with its rows. */
  scroll?: 'inside' | 'page';
  handle?: RefObject<TableHandle<Row> | null> | undefined;
}

interface TableFrameProps<Row> extends TableBasics<Row> {
  layout: RowLayout<Row>;
  /** The current number of matches, if counted: the list may be older than the last move. */
  counted: Count | undefined;
  search: RefObject<HTMLInputElement | null>;
  /** Undefined if rows cannot be selected. */
  selection: Selection<Row> | undefined;
  onOpen: (row: Row, index: number) => void;
  empty: ReactNode;
  /** Shown between the rows and the footer. */
  children: ReactNode;
}

export function TableFrame<Row extends WithId>(props: TableFrameProps<Row>) {
  const { noun, list, control, scroll = 'inside', layout, counted, search, selection } = props;
  const { view, schema, change } = control;
  const { card, rowHeight } = layout;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [reading, setReading] = useState<string | null>(null);
  const { count: known = 0, isCountExact, newAbove = 0, isOutdated = false } = list;
  // The rows up to the stored position existed before, so the table can return there before the count is known.
  const count = known > 0 && !isCountExact ? Math.max(known, savedPlace().count) : known;
  const isBusy = list.count === undefined && list.failure === undefined;
  const hasRows = count > 0;
  const isHeld = scroll === 'inside' && hasRows;
  useSteadyRows(scroller, isHeld);
  const rows = useVirtualRows(scroller, body, count, rowHeight, list.key);
  const current = useCurrentRow({ handle: props.handle, list, rows, body });
  const placeNow = () => {
    const { top, end } = rows.inView(1);
    return { top, count: end, id: current.now()?.row._id };
  };

  // Stable functions, or every row would render again. They read the latest props through a ref.
  const latest = useRef(props);
  latest.current = props;
  const [handlers] = useState(() => ({
    onToggle: (row: Row, index: number, withRange: boolean) =>
      latest.current.selection?.toggle(row, index, withRange),
    onOpen: (row: Row, index: number) => latest.current.onOpen(row, index),
  }));

  const focusSearch = () => {
    search.current?.focus();
    search.current?.select();
  };
  const selectCurrent = () => {
    const now = selection && current.seen();
    if (!now) return;
    flushSync(() => selection.toggle(now.row, now.index, false));
    // The selection bar makes the table shorter, and must not hide the row that the next key acts on.
    rows.measure();
    current.seen();
  };
  const openCurrent = () => {
    const now = current.seen();
    if (now) props.onOpen(now.row, now.index);
  };
  // They only navigate and select; a screen may add its own.
  useShortcuts(({ key, target }) => {
    if (key === '/') return focusSearch;
    if (key === 'j') return () => current.moveBy(1);
    if (key === 'k') return () => current.moveBy(-1);
    if (key === 'x') return selectCurrent;
    if (key !== 'Enter' && key !== ' ') return undefined;
    const row = target instanceof Element ? target.closest('[data-row-id]') : null;
    if (row === target) return key === 'Enter' ? openCurrent : undefined;
    // On a button, a link or a checkbox these keys belong to that control, unless its row is out of view.
    return row && !current.isInSight() ? current.seen : undefined;
  });

  // Touch has no hover: a tap on clipped text shows it in full in the footer.
  const readClipped = (event: MouseEvent) => {
    const text = (event.target as Element).closest<HTMLElement>('[data-clipped]');
    const isClipped = text && text.scrollWidth > text.clientWidth;
    setReading(isClipped ? `${text.dataset.clipped}: ${text.textContent}` : null);
  };
  /** For pointers; Enter on the row does the same by keyboard. */
  const openClicked = (event: MouseEvent) => {
    const index = clickedRow(event);
    const row = index < 0 ? undefined : list.rowAt(index);
    if (row && !isOutdated) props.onOpen(row, index);
  };
  const showNew = () => {
    // The new rows are at the top: scroll there, not to the stored position.
    clearSavedPlace();
    list.showNew?.();
    // The button disappears and would lose the focus.
    scroller.current?.focus({ preventScroll: true });
  };

  const rowsInView = () => {
    const { start, end } = rows.inView();
    const found = Array.from({ length: Math.max(0, end - start) }, (_, at) =>
      list.rowAt(start + at),
    );
    return found.filter((row) => row !== undefined);
  };
  const isAllInView = () => rowsInView().every(({ _id }) => selection?.isChosen(_id));

  const read = { count: isCountExact ? known : known - 1, isExact: isCountExact };
  // Once the admin has scrolled to the end, the list's count is better than an aborted count.
  const shown = counted?.isExact || !isCountExact ? (counted ?? read) : read;
  return (
    <div className={classes(styles.frame, styles[scroll], card && styles.asCards)}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: for pointers; the keyboard opens the focused row with Enter */}
      <div
        ref={scroller}
        role="table"
        aria-label={props.label}
        aria-rowcount={list.count === undefined ? -1 : count + 1}
        aria-busy={isBusy || isOutdated}
        // A scrolling element must be reachable by keyboard.
        tabIndex={scroll === 'inside' ? 0 : undefined}
        className={classes(
          styles.table,
          (hasRows || isBusy) && styles.tall,
          isOutdated && styles.outdated,
        )}
        data-wide={layout.isWide || undefined}
        style={tracksOf(layout)}
        onClick={(event) => {
          readClipped(event);
          openClicked(event);
        }}
      >
        <TableHead
          layout={layout}
          sort={view.sort || schema.defaultSort}
          onSort={(field) => change({ sort: nextSort(view.sort, field, schema.defaultSort) })}
          inView={selection && !selection.isEmpty ? isAllInView() || 'some' : false}
          onSelectInView={selection && (() => selection.setMany(rowsInView(), !isAllInView()))}
        />
        {isBusy && <FirstSkeletons layout={layout} isSelectable={!!selection} />}
        {hasRows && (
          <TableBody
            ref={body}
            {...{ list, noun, layout, rows }}
            isChosen={selection?.isChosen ?? (() => false)}
            onToggle={selection && handlers.onToggle}
            onOpen={handlers.onOpen}
            onFocusRow={current.remember}
          />
        )}
      </div>
      {isHeld && (
        <div className={styles.newAbove} aria-live="polite">
          {newAbove > 0 && (
            <Button size="row" onClick={showNew}>
              {`${countOf(newAbove, `new ${noun}`)} above`}
            </Button>
          )}
        </div>
      )}
      {isHeld && !isOutdated && <ScrollRestorer key={list.key} {...{ scroller, placeNow, view }} />}
      {list.count === 0 && <div className={styles.empty}>{props.empty}</div>}
      {isBusy && <p role="status" className="visually-hidden">{`Loading ${noun}s…`}</p>}
      {props.children}
      {hasRows && (
        <p className={styles.foot} aria-live="off">
          {reading ?? matchesOf(shown, noun)}
        </p>
      )}
    </div>
  );
}

/** The index of the clicked row, or -1 for a click on a button, link or checkbox. Selecting text is not a click. */
function clickedRow({ target }: MouseEvent): number {
  if (!(target instanceof Element)) return -1;
  if (target.closest('button, input, label, a, [popover]')) return -1;
  if (window.getSelection()?.isCollapsed === false) return -1;
  const row = target.closest('[data-row-id]');
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1;
}

type FirstSkeletonsProps<Row> = Pick<SkeletonRowProps<Row>, 'layout' | 'isSelectable'>;

/** Placeholders that fill the window until the first response. */
function FirstSkeletons<Row>({ layout, isSelectable }: FirstSkeletonsProps<Row>) {
  const { rowHeight } = layout;
  const count = Math.max(3, Math.floor((window.innerHeight - 160) / rowHeight));
  return (
    <div className={styles.body} style={{ height: count * rowHeight }} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
        <SkeletonRow key={index} {...{ index, layout, isSelectable }} top={index * rowHeight} />
      ))}
    </div>
  );
}

/** The left and right edges of a row, with a checkbox. */
const edges = 42;

const tracksOf = <Row,>({ columns, card, rowHeight, isWide }: RowLayout<Row>) =>
  ({
    // The narrowest that each track may be.
    ...(isWide && {
      '--least': `${columns.reduce((sum, { width }) => sum + Number(/\d+/.exec(width)?.[0]), edges)}px`,
    }),
    '--row-height': `${rowHeight}px`,
    '--tracks': columns.map((column) => column.width).join(' '),
    '--card-columns': card?.columns,
    '--card-rows': card?.rows ?? 'none',
    '--card-areas': card?.areas,
  }) as CSSProperties;
