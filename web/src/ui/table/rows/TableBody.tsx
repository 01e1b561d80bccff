import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Button } from '../../Button';
import { classes } from '../../classes';
import type { List, RowLayout, WithId } from '../columns/columns';
import styles from '../frame/DataTable.module.css';
import { placeOf, type RowHandlers, SkeletonRow, TableRow } from './TableRow';
import type { VirtualRows } from './virtualRows';

interface TableBodyProps<Row> extends RowHandlers<Row> {
  ref: RefObject<HTMLDivElement | null>;
  list: List<Row>;
  noun: string;
  layout: RowLayout<Row>;
  rows: VirtualRows;
  isChosen: (id: string) => boolean;
  onFocusRow: (index: number) => void;
}

/** One in this many failed rows shows the error, so that at least one is in view. */
const failedEvery = 5;
/**
 * Placeholders are reused further down, so that fast scrolling only moves them. This is more than one window renders,
 * and a multiple of the number of patterns.
 */
const placeholders = 64;

export function TableBody<Row extends WithId>(props: TableBodyProps<Row>) {
  const { ref, list, noun, layout, rows, isChosen, onToggle, onOpen, onFocusRow } = props;
  const [remembered, setFocused] = useState<{ listKey: string; index: number; row: Row }>();
  const focused = remembered?.listKey === list.key ? remembered : undefined;
  const { show } = list;
  const kept = focused?.index ?? -1;

  useEffect(() => show?.(rows.start, rows.end, kept), [show, rows.start, rows.end, kept]);

  const drawnIds = new Set<string>();
  const draw = (index: number, last?: Row): ReactNode => {
    const place = { index, layout, top: index * layout.rowHeight - rows.shift };
    const row = list.rowAt(index) ?? last;
    if (row !== undefined) {
      const { _id: id } = row;
      // Two pages read at different times may both contain a row that moved in between.
      const key = drawnIds.has(id) ? `${id} ${index}` : id;
      drawnIds.add(id);
      return (
        <TableRow key={key} {...{ row, onToggle, onOpen, ...place }} isChosen={isChosen(id)} />
      );
    }
    const failure = list.failureAt?.(index);
    if (failure === undefined || index % failedEvery > 0) {
      return <SkeletonRow key={index % placeholders} {...place} isSelectable={!!onToggle} />;
    }
    return (
      <div
        key={`failed ${index}`}
        role="row"
        aria-rowindex={index + 2}
        className={classes(styles.row, styles.failed)}
        style={placeOf(layout, place.top)}
      >
        <div role="cell">
          <span className={styles.clip}>{`These ${noun}s could not be loaded. ${failure}`}</span>
          <Button size="row" onClick={() => list.retryAt?.(index)}>
            Retry
          </Button>
        </div>
      </div>
    );
  };

  const remember = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest('[data-row-id]') : null;
    const index = Number(element?.getAttribute('aria-rowindex')) - 2;
    const row = element ? list.rowAt(index) : undefined;
    setFocused(row && { listKey: list.key, index, row });
    if (row !== undefined) onFocusRow(index);
  };

  // The focused row stays rendered outside the window: its buttons must never become those of another row.
  const drawn: ReactNode[] = [];
  for (let index = rows.start; index < rows.end; index++) drawn.push(draw(index));
  if (focused && !drawnIds.has(focused.row._id)) {
    const now = list.rowAt(focused.index);
    const isThere = now === undefined || now._id === focused.row._id;
    const extra = isThere ? draw(focused.index, focused.row) : null;
    if (focused.index < rows.start) drawn.unshift(extra);
    else drawn.push(extra);
  }

  return (
    <div
      ref={ref}
      role="rowgroup"
      className={styles.body}
      style={{ height: rows.height }}
      // Until the response arrives, the rows of the previous search are visible but inert.
      inert={list.isOutdated}
      onFocus={(event) => remember(event.target)}
      onBlur={(event) => remember(event.relatedTarget)}
    >
      {drawn}
    </div>
  );
}
