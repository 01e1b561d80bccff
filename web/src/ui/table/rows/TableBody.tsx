import { type FocusEvent, type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { CardLayout, Column, List, WithId } from '../columns/columns';
import styles from '../frame/DataTable.module.css';
import { FailedRow } from './FailedRow';
import { placeholderOf, SkeletonRow } from './SkeletonRow';
import { type RowHandlers, TableRow } from './TableRow';
import type { VirtualRows } from './virtualRows';

interface TableBodyProps<Row> extends RowHandlers<Row> {
  ref: RefObject<HTMLDivElement | null>;
  list: List<Row>;
  noun: string;
  columns: readonly Column<Row>[];
  rowHeight: number;
  card: CardLayout | undefined;
  rows: VirtualRows;
  isChosen: (id: string) => boolean;
  onFocusRow: (index: number) => void;
}

interface Focused<Row> {
  listKey: string;
  id: string;
  index: number;
  row: Row;
}

/** One in this many failed rows shows the error, so that at least one is in view. */
const failedEvery = 5;

export function TableBody<Row extends WithId>(props: TableBodyProps<Row>) {
  const { ref, list, noun, columns, rowHeight, card, rows } = props;
  const { isChosen, onToggle, onOpen, onFocusRow } = props;
  const [remembered, setFocused] = useState<Focused<Row> | null>(null);
  const focused = remembered?.listKey === list.key ? remembered : null;
  const { show } = list;
  const kept = focused?.index ?? -1;

  useEffect(() => show(rows.start, rows.end, kept), [show, rows.start, rows.end, kept]);

  const drawnIds = new Set<string>();
  const draw = (index: number, last?: Row): ReactNode => {
    const place = { index, top: index * rowHeight - rows.shift, height: rowHeight };
    const row = list.rowAt(index) ?? last;
    if (row !== undefined) {
      const { _id: id } = row;
      // Two pages read at different times may both contain a row that moved in between.
      const key = drawnIds.has(id) ? `${id} ${index}` : id;
      drawnIds.add(id);
      return (
        <TableRow
          key={key}
          {...{ row, id, columns, card, onToggle, onOpen, ...place }}
          isChosen={isChosen(id)}
        />
      );
    }
    const failure = list.failureAt(index);
    if (failure !== undefined && index % failedEvery === 0) {
      const onRetry = () => list.retryAt(index);
      return <FailedRow key={`failed ${index}`} {...{ noun, failure, onRetry, ...place }} />;
    }
    return (
      <SkeletonRow
        key={placeholderOf(index)}
        {...{ columns, card, ...place }}
        isSelectable={Boolean(onToggle)}
      />
    );
  };

  const remember = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest('[data-row-id]') : null;
    const index = Number(element?.getAttribute('aria-rowindex')) - 2;
    const row = element ? list.rowAt(index) : undefined;
    setFocused(row === undefined ? null : { listKey: list.key, id: row._id, index, row });
    if (row !== undefined) onFocusRow(index);
  };

  // The focused row stays rendered outside the window: its buttons must never become those of another row.
  const drawn: ReactNode[] = [];
  for (let index = rows.start; index < rows.end; index++) drawn.push(draw(index));
  if (focused && !drawnIds.has(focused.id)) {
    const now = list.rowAt(focused.index);
    const isThere = now === undefined || now._id === focused.id;
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
      onBlur={(event: FocusEvent) => remember(event.relatedTarget)}
    >
      {drawn}
    </div>
  );
}
