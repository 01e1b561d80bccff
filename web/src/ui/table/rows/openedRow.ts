import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { rowInAddress, useLocation } from '../../page/address';
import type { List, WithId } from '../columns/columns';
import type { TableHandle } from './currentRow';

/** How the URL names a row whose panel is open, and how the row is found by that name. */
export interface RowAddress<Row> {
  of: (row: Row) => string;
  find: (name: string) => Promise<Row | undefined>;
}

export interface Opened<Row> {
  row: Row;
  /** -1 for a row that a link has opened and that is not among the loaded rows. */
  index: number;
}

interface OpenedRowOptions<Row> {
  list: List<Row>;
  table: RefObject<TableHandle<Row> | null>;
  /** Without it the panel has no URL. */
  address?: RowAddress<Row> | undefined;
  /** The rows have been shown: they come first. */
  isDue: boolean;
  /** Called if the URL names a row that does not exist or cannot be loaded. */
  onMissing?: (name: string) => void;
}

/** The row whose panel is open: by a click, a key, or a URL such as /Withdraw/C-10482. */
export function useOpenedRow<Row extends WithId>(options: OpenedRowOptions<Row>) {
  const { list, table, address, isDue, onMissing } = options;
  const [place, setPlace] = useState<Opened<Row> | null>(null);
  const opened = place && newest(place, list);

  const open = (index: number) => {
    const row = list.rowAt(index);
    table.current?.focusRow(index);
    if (row) setPlace({ row, index });
  };

  const [location] = useLocation();
  const linked = address && rowInAddress(location);
  const openLinked = useEffectEvent(async (name: string) => {
    if (!address || (place && address.of(place.row) === name)) return;
    const index = placeOf(list, (row) => address.of(row) === name);
    const row = list.rowAt(index) ?? (await address.find(name).catch(() => undefined));
    // Closed or left in the meantime.
    if (rowInAddress() !== name) return;
    if (row) setPlace({ row, index });
    else onMissing?.(name);
  });
  useEffect(() => {
    if (isDue && linked) void openLinked(linked);
  }, [isDue, linked]);

  const watched = place?.index === -1 ? place.row._id : undefined;
  const watch = useEffectEvent(() => {
    if (!place || !address || !list.watch) return undefined;
    const name = address.of(place.row);
    return list.watch(
      place.row,
      () => address.find(name),
      (row) => setPlace((now) => (now?.row._id === row._id ? { ...now, row } : now)),
    );
  });
  useEffect(() => (watched === undefined ? undefined : watch()), [watched]);

  useMarkedRow(opened?.row._id);

  return {
    opened,
    open,
    close: () => setPlace(null),
    /** Opens the row that is so many rows further down. */
    step: (rows: number) => {
      const index = (place?.index ?? 0) + rows;
      if (index >= 0 && index < (list.count ?? 0)) open(index);
    },
  };
}

/** Enough to find any row that somebody has just seen. */
const farthest = 5_000;

/** The index of the first such row among the loaded rows, or -1. */
export function placeOf<Row>(
  list: Pick<List<Row>, 'rowAt' | 'count'>,
  isWanted: (row: Row) => boolean,
): number {
  const count = Math.min(list.count ?? 0, farthest);
  for (let index = 0; index < count; index++) {
    const row = list.rowAt(index);
    if (row !== undefined && isWanted(row)) return index;
  }
  return -1;
}

/** The row as the list has it now, or as it was when opened if its page is no longer loaded. */
export function newest<Row extends WithId>(opened: Opened<Row>, list: List<Row>): Opened<Row> {
  const row = list.rowAt(opened.index);
  return row?._id === opened.row._id ? { ...opened, row } : opened;
}

/** Marks the row that the panel shows. */
function useMarkedRow(id: string | undefined) {
  useEffect(() => {
    if (id === undefined) return;
    const row = document.querySelector(`[data-row-id="${CSS.escape(id)}"]`);
    row?.setAttribute('aria-current', 'true');
    return () => row?.removeAttribute('aria-current');
  }, [id]);
}
