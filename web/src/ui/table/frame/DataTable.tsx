import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../Button';
import { useMay } from '../../may';
import { LoadTrouble } from '../../notices/Alert';
import { Toast } from '../../notices/Toast';
import type { CardLayout, Column, WithId } from '../columns/columns';
import { rowHeightOf, useCardLayout, useDensity, usePlaced } from '../columns/rowLayout';
import { activeFilters, type ChoiceTexts } from '../filters/filterTexts';
import type { ViewControl } from '../filters/useView';
import { isFiltered, withoutFilters } from '../filters/view';
import type { TableHandle } from '../rows/currentRow';
import { type RowAddress, useOpenedRow } from '../rows/openedRow';
import { RowPanel } from '../rows/RowPanel';
import { SelectionBar } from '../selection/SelectionBar';
import { useSelection } from '../selection/selection';
import type { Matches } from './Summary';
import { type TableBasics, TableFrame } from './TableFrame';
import { Toolbar, type ToolbarOptions } from './Toolbar';
import type { SeenRow } from './tableTools';

interface DataTableProps<Row> extends TableBasics<Row> {
  columns: readonly Column<Row>[];
  card: CardLayout;
  toolbar: ToolbarOptions;
  /** The number of matches; if given, rows can be selected. Outdated while another search is being counted. */
  matches?: Matches & { isOutdated: boolean };
  amountOf?: (row: Row) => number;
  /** The order of the list, which selected rows are copied in. */
  compare?: (one: Row, other: Row) => number;
  /** If given, the selected rows can be changed together. */
  seenOf?: (row: Row) => SeenRow;
  /** How the URL names the row whose panel is open. */
  address?: RowAddress<Row>;
  /** What the panel of a row shows above its fields. */
  panel?: (row: Row) => ReactNode;
  /** A fixed height, for rows that contain more than text. */
  rowHeight?: number;
  /** Opens a row in a custom way, if the default panel of its fields is not enough. */
  onOpen?: (row: Row, index: number) => void;
  empty: ReactNode;
  /** A more specific message for a search or filter without matches. */
  emptySearch?: string | undefined;
}

export function DataTable<Row extends WithId>(props: DataTableProps<Row>) {
  const { noun, list, control, matches, amountOf, empty } = props;
  const columns = useSortable(props.columns);
  const { view, change, query } = control;
  const { besides, texts } = props.toolbar;
  const search = useRef<HTMLInputElement>(null);
  const density = useDensity();
  const card = useCardLayout(props.card);
  const rowHeight = card?.height ?? props.rowHeight ?? rowHeightOf[density];
  const { optional } = control.schema;
  const placed = usePlaced(columns, card);
  const layout = useMemo(() => {
    const shown = placed.filter(({ key }) => !view.hidden.includes(key));
    const isWide = !card && shown.some(({ key }) => optional?.includes(key));
    return { columns: shown, card, rowHeight, isWide };
  }, [placed, view.hidden, card, rowHeight, optional]);
  // A column that is usually hidden is copied, and is in the panel, only if the admin has chosen it.
  const isKnown = ({ key }: Column<Row>) => !(optional?.includes(key) && view.hidden.includes(key));
  const known = columns.filter(isKnown);
  const { sort, ...filters } = query;
  const selection = useSelection(JSON.stringify(filters), list);
  const own = useRef<TableHandle<Row>>(null);
  const table = props.handle ?? own;
  const [missing, setMissing] = useState({ sentence: '', number: 0 });
  const forget = useCallback(() => setMissing({ sentence: '', number: 0 }), []);
  const { opened, open, step, close } = useOpenedRow({
    list,
    table,
    address: props.onOpen ? undefined : props.address,
    isDue: list.count !== undefined || list.failure !== undefined,
    onMissing: (name) =>
      setMissing({
        sentence: `There is no ${noun} ${name}, or it could not be loaded.`,
        number: 1,
      }),
  });
  const [isSelecting, setIsSelecting] = useState(false);
  const canSelect = matches !== undefined && (!card || isSelecting);

  return (
    <>
      <Toolbar
        options={{
          ...props.toolbar,
          count:
            list.count === 0 ? 0 : matches?.counted?.isExact ? matches.counted.count : undefined,
          hasDensity: !card && props.rowHeight === undefined,
          ...(card && matches && { selecting: { isOn: isSelecting, set: setIsSelecting } }),
        }}
        isCards={card !== undefined}
        {...{ control, noun, search }}
        columns={placed}
        onRows={() => table.current?.focusFirst()}
      />
      <LoadTrouble
        what={`The ${noun}s`}
        isLoaded={list.count !== undefined}
        // The server calls the search by its parameter name, `q`.
        reading={{ ...list, failure: list.failure?.replace(/^q /, 'The search ') }}
      />
      <TableFrame
        {...props}
        {...{ layout, search }}
        handle={table}
        counted={matches?.isOutdated ? undefined : matches?.counted}
        selection={canSelect ? selection : undefined}
        onOpen={props.onOpen ?? ((_, index) => open(index))}
        empty={
          isFiltered(view) ? (
            <>
              <p>{props.emptySearch ?? `No ${noun} matches ${wordsOf(control, texts)}.`}</p>
              <Button onClick={() => change(withoutFilters(view, besides))}>Clear filters</Button>
            </>
          ) : (
            empty
          )
        }
      >
        {matches && !selection.isEmpty && (
          <SelectionBar
            {...{ selection, matches, noun, amountOf }}
            columns={columns.filter((column) => column.isAlwaysCopied || isKnown(column))}
            compare={props.compare}
            query={filters}
            sort={sort}
            seenOf={props.seenOf}
          />
        )}
      </TableFrame>
      {opened && (
        <RowPanel
          {...opened}
          noun={noun}
          columns={known}
          address={props.address?.of(opened.row)}
          onStep={step}
          onClose={() => {
            flushSync(close);
            table.current?.focusRow(opened.index);
          }}
        >
          {props.panel?.(opened.row)}
        </RowPanel>
      )}
      {props.address && <Toast message={missing} onEnd={forget} />}
    </>
  );
}

/** The search and the active filters, e.g. “Status: Paid, Amount: from ₹500 and the search “rahul””. */
function wordsOf({ view, schema }: ViewControl, texts: ChoiceTexts | undefined): string {
  const words = activeFilters(schema.filters, view, texts).map(({ text }) => text);
  const q = view.q.trim();
  return new Intl.ListFormat('en-GB').format(q ? [...words, `the search “${q}”`] : words);
}

/** The columns, without the sort fields that the admin's role does not include. */
function useSortable<Row>(columns: readonly Column<Row>[]) {
  const may = useMay();
  return useMemo(
    () =>
      columns.map((column) => {
        const { sort: _, ...unsorted } = column;
        return column.sortNeeds && !may(column.sortNeeds) ? unsorted : column;
      }),
    [columns, may],
  );
}
