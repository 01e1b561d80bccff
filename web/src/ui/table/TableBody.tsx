import {
  type Dispatch,
  type FocusEvent,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  useMemo,
  useState,
} from 'react';
import type { CardLayout, Column } from './columns';
import styles from './DataTable.module.css';
import { useRowWindow } from './rowWindow';
import { useAnchoredRows } from './steadyRows';
import { TableRow } from './TableRow';

interface TableBodyProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  rowHeight: number;
  card: CardLayout | undefined;
  scroller: RefObject<HTMLElement | null>;
  /** The rows keep their place on the screen when others come above them. */
  isHeld: boolean;
  setNewAbove: Dispatch<SetStateAction<number>>;
}

export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { rows, columns, idOf, rowHeight, card, scroller, isHeld, setNewAbove } = props;
  // Before the window, which must be reckoned from where the rows were scrolled to.
  useAnchoredRows(scroller, { rows, idOf, rowHeight, isHeld, setNewAbove });
  const { start, end } = useRowWindow(scroller, rows.length, rowHeight);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const focusedIndex = useMemo(
    () => (focusedId === null ? -1 : rows.findIndex((row) => idOf(row) === focusedId)),
    [rows, idOf, focusedId],
  );

  const draw = (index: number): ReactNode => {
    const row = rows[index];
    if (row === undefined) return null;
    const id = idOf(row);
    return <TableRow key={id} {...{ row, id, index, columns, card }} height={rowHeight} />;
  };

  // A row that left the window with the focus on it stays: its buttons must never become another row's.
  const drawn: ReactNode[] = [];
  if (focusedIndex >= 0 && focusedIndex < start) drawn.push(draw(focusedIndex));
  for (let index = start; index < end; index++) drawn.push(draw(index));
  if (focusedIndex >= end) drawn.push(draw(focusedIndex));

  return (
    <div
      role="rowgroup"
      className={styles.body}
      style={{ height: rows.length * rowHeight }}
      onFocus={(event) => setFocusedId(rowIdOf(event.target))}
      onBlur={(event: FocusEvent) => setFocusedId(rowIdOf(event.relatedTarget))}
    >
      {drawn}
    </div>
  );
}

function rowIdOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest('[data-row-id]')?.getAttribute('data-row-id') ?? null;
}
