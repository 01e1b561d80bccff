import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Button } from '../../Button';
import { LoadFailure } from '../../notices/Alert';
import type { CardLayout, Column, List, WithId } from '../columns/columns';
import { rowHeightOf, useCardLayout, useDensity } from '../columns/rowLayout';
import { isFiltered } from '../filters/view';
import { type RowLink, RowPanel } from '../rows/RowPanel';
import { SelectionBar } from '../selection/SelectionBar';
import { useSelection } from '../selection/selection';
import type { Matches } from './Summary';
import { type TableBasics, TableFrame } from './TableFrame';
import { Toolbar, type ToolbarOptions } from './Toolbar';
import type { SeenRow } from './tableTools';

interface DataTableProps<Row> extends TableBasics<Row> {
  columns: readonly Column<Row>[];
  /** Narrowest first. */
  cards: readonly CardLayout[];
  toolbar: ToolbarOptions;
  /** The number of matches; if given, rows can be selected. Outdated while another search is being counted. */
  matches?: Matches & { isOutdated: boolean };
  amountOf?: (row: Row) => number;
  /** If given, the selected rows can be changed together. */
  seenOf?: (row: Row) => SeenRow;
  /** The link shown in the panel of a row. */
  linkOf?: (row: Row) => RowLink;
  /** A fixed height, for rows that contain more than text. */
  rowHeight?: number;
  /** Opens a row in a custom way, if the default panel of its fields is not enough. */
  onOpen?: (row: Row, index: number) => void;
  empty: ReactNode;
  /** A more specific message for a search or filter without matches. */
  emptySearch?: string | undefined;
}

export function DataTable<Row extends WithId>(props: DataTableProps<Row>) {
  const { noun, columns, list, control, matches, amountOf, empty } = props;
  const { view, change, query } = control;
  const search = useRef<HTMLInputElement>(null);
  const density = useDensity();
  const card = useCardLayout(props.cards);
  const rowHeight = card?.height ?? props.rowHeight ?? rowHeightOf[density];
  const layout = useMemo(() => {
    const shown = columns.filter(({ key }) => !view.hidden.includes(key));
    return { columns: shown, card, rowHeight };
  }, [columns, view.hidden, card, rowHeight]);
  const { sort: _, ...filters } = query;
  const selection = useSelection(JSON.stringify(filters), list.rowAt);
  const [opened, setOpened] = useState<{ row: Row; index: number } | null>(null);
  const [isSelecting, setIsSelecting] = useState(false);
  const openedNow = opened && newest(opened, list);
  const canSelect = matches !== undefined && (!card || isSelecting);

  return (
    <>
      <Toolbar
        options={{
          ...props.toolbar,
          count: matches?.counted?.isExact ? matches.counted.count : undefined,
          hasDensity: !card && props.rowHeight === undefined,
          ...(card && matches && { selecting: { isOn: isSelecting, set: setIsSelecting } }),
        }}
        isCards={card !== undefined}
        {...{ control, columns, noun, search }}
      />
      {list.failure !== undefined && (
        <LoadFailure
          lines={[
            list.count === undefined
              ? `The ${noun}s could not be loaded.`
              : `The ${noun}s could not be refreshed. The rows shown may be out of date.`,
            // The server calls the search by its parameter name, `q`.
            list.failure.replace(/^q /, 'The search '),
          ]}
          isRetrying={list.isLoading}
          onRetry={list.reload}
        />
      )}
      <TableFrame
        {...props}
        {...{ layout, search }}
        counted={matches?.isOutdated ? undefined : matches?.counted}
        selection={canSelect ? selection : undefined}
        onOpen={props.onOpen ?? ((row, index) => setOpened({ row, index }))}
        empty={
          isFiltered(view) ? (
            <>
              <p>{props.emptySearch ?? `No ${noun} matches this search and these filters.`}</p>
              <Button onClick={() => change({ q: '', filters: {} })}>
                Clear search and filters
              </Button>
            </>
          ) : (
            empty
          )
        }
      >
        {matches && !selection.isEmpty && (
          <SelectionBar
            {...{ selection, matches, noun, columns, amountOf }}
            query={filters}
            seenOf={props.seenOf}
          />
        )}
      </TableFrame>
      {openedNow && (
        <RowPanel
          {...openedNow}
          columns={columns}
          link={props.linkOf?.(openedNow.row)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** The current version of the opened row, or the version that was opened if its page is no longer in memory. */
function newest<Row extends WithId>(opened: { row: Row; index: number }, list: List<Row>) {
  const now = list.rowAt(opened.index);
  return now?._id === opened.row._id ? { ...opened, row: now } : opened;
}
