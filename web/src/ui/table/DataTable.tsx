import { type ReactNode, type Ref, Suspense, useMemo, useRef, useState } from 'react';
import { Alert } from '../Alert';
import { Button } from '../Button';
import { useCardLayout } from './cardLayout';
import type { CardLayout, Column, List } from './columns';
import type { TableHandle } from './currentRow';
import { rowHeightOf, useDensity } from './density';
import { RowPanel, SelectionBar } from './parts';
import type { RowLink } from './RowPanel';
import type { Matches } from './SelectionBar';
import { useSelection } from './selection';
import { TableFrame } from './TableFrame';
import { nameOf } from './TableRow';
import { Toolbar, type ToolbarOptions } from './Toolbar';
import type { SeenRow } from './tableTools';
import type { ViewControl } from './useView';
import { isNarrowed } from './view';

export interface DataTableProps<Row> {
  label: string;
  /** Singular, e.g. `claim`: the footer counts it, failures name it. */
  noun: string;
  columns: readonly Column<Row>[];
  /** Narrowest first. */
  cards: readonly CardLayout[];
  list: List<Row>;
  idOf: (row: Row) => string;
  control: ViewControl;
  toolbar: ToolbarOptions;
  /** How many match; rows can be chosen where it is given. Outdated while another search is counted. */
  matches?: Matches & { isOutdated: boolean };
  /** What a selection adds up. */
  amountOf?: (row: Row) => number;
  /** Chosen rows can be worked on together where it is given. */
  seenOf?: (row: Row) => SeenRow;
  /** Where the panel of a row leads on to. */
  linkOf?: (row: Row) => RowLink;
  /** Fixed, where the rows hold more than text. */
  rowHeight?: number;
  /** Shows the row that is opened, where its fields alone do not tell enough. */
  onOpen?: (row: Row, index: number) => void;
  handle?: Ref<TableHandle<Row>>;
  /** What to do when there is nothing at all to show. */
  empty: ReactNode;
  /** What it means that the search and the filters find nothing, where more can be said than that. */
  emptySearch?: string | undefined;
  /** `inside` fills the page's height and scrolls; `page` grows with its rows. */
  scroll?: 'inside' | 'page';
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, noun, columns, cards, list, idOf, control, toolbar, matches, amountOf } = props;
  const { empty, scroll = 'inside' } = props;
  const { view, schema, change, query } = control;
  const search = useRef<HTMLInputElement>(null);
  const density = useDensity();
  const card = useCardLayout(cards);
  const rowHeight = card?.height ?? props.rowHeight ?? rowHeightOf[density];
  const shown = useMemo(
    () => columns.filter(({ key }) => !view.hidden.includes(key)),
    [columns, view.hidden],
  );
  const { sort: _, ...filters } = query;
  const selection = useSelection(JSON.stringify(filters), idOf, list.rowAt);
  const [opened, setOpened] = useState<{ row: Row; index: number } | null>(null);
  const [isSelecting, setIsSelecting] = useState(false);
  const openedNow = opened && newest(opened, list, idOf);
  const canSelect = matches !== undefined && (!card || isSelecting);

  return (
    <>
      <Toolbar
        options={{
          ...toolbar,
          count: matches?.counted?.isExact ? matches.counted.count : undefined,
          hasDensity: !card && props.rowHeight === undefined,
          ...(card && matches && { selecting: { isOn: isSelecting, set: setIsSelecting } }),
        }}
        isCards={card !== undefined}
        {...{ control, columns, noun, search }}
      />
      {list.failure !== undefined && (
        <Alert tone="bad" action={<Retry list={list} />}>
          <p>
            {list.count === undefined
              ? `The ${noun}s could not be loaded.`
              : `The ${noun}s could not be refreshed. These are from before.`}
          </p>
          {/* The server names the search as its call does. */}
          <p>{list.failure.replace(/^q /, 'The search ')}</p>
        </Alert>
      )}
      <TableFrame
        columns={shown}
        counted={matches?.isOutdated ? undefined : matches?.counted}
        {...{ label, noun, list, idOf, card, rowHeight, scroll, search, view, schema, change }}
        selection={canSelect ? selection : undefined}
        handle={props.handle}
        onOpen={props.onOpen ?? ((row, index) => setOpened({ row, index }))}
        empty={
          isNarrowed(view) ? (
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
          <Suspense>
            <SelectionBar
              {...{ selection, matches, noun, columns, amountOf }}
              query={filters}
              seenOf={props.seenOf}
            />
          </Suspense>
        )}
      </TableFrame>
      {openedNow && (
        <Suspense>
          <RowPanel
            {...openedNow}
            columns={columns}
            title={nameOf(openedNow.row, openedNow.index, columns)}
            link={props.linkOf?.(openedNow.row)}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The opened row as it is now; the one that was opened, where its page is gone. */
function newest<Row>(
  opened: { row: Row; index: number },
  list: List<Row>,
  idOf: (row: Row) => string,
) {
  const now = list.rowAt(opened.index);
  return now !== undefined && idOf(now) === idOf(opened.row) ? { ...opened, row: now } : opened;
}

function Retry<Row>({ list }: { list: List<Row> }) {
  return (
    // Not disabled while it works: a disabled button would drop the focus to the top of the page.
    <Button onClick={list.isLoading ? undefined : list.reload} aria-busy={list.isLoading}>
      {list.isLoading ? 'Retrying…' : 'Retry'}
    </Button>
  );
}
