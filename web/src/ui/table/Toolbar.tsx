import { type ReactNode, type RefObject, useContext } from 'react';
import { Button } from '../Button';
import { ColumnsIcon } from '../icons/ColumnsIcon';
import { FilterIcon } from '../icons/FilterIcon';
import { Popover } from '../Popover';
import { ColumnChooser } from './ColumnChooser';
import type { ColumnName } from './columns';
import { FilterFields } from './FilterFields';
import { SearchField } from './SearchField';
import styles from './Toolbar.module.css';
import { type ExportToolProps, type TableScreen, TableToolsContext } from './tableTools';
import { type ViewControl, withFilter } from './useView';
import type { Filter } from './view';

export interface ToolbarOptions {
  screen: TableScreen;
  /** The placeholder of the search, e.g. `Search name or mobile`. */
  searchHint: string;
  /** Shows one filter as tabs instead of in the filter panel. */
  tabs?: { filter: string; shown: ReactNode };
  /** Values that only the server knows, by filter name. */
  choices?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The list to export, if it can be exported. */
  exports?: ExportToolProps['list'];
  /** The number of matches, if it is known exactly. */
  count?: number | undefined;
  hasDensity?: boolean;
  /** Cards show their checkboxes only when selecting is switched on. */
  selecting?: { isOn: boolean; set: (isOn: boolean) => void };
}

interface ToolbarProps {
  options: ToolbarOptions;
  control: ViewControl;
  columns: readonly ColumnName[];
  noun: string;
  search: RefObject<HTMLInputElement | null>;
  isCards: boolean;
}

export function Toolbar(props: ToolbarProps) {
  const { options, control, columns, noun, search, isCards } = props;
  const { view, schema, change } = control;
  const { Export, Views } = useContext(TableToolsContext);
  const { tabs } = options;
  // On a narrow screen the flags are in the filter panel: the toolbar has no room for their labels.
  const isFlag = ({ kind }: Filter) => kind === 'flag' && !isCards;
  const flags = schema.filters.filter(isFlag);
  const filters = schema.filters.filter(
    (filter) => filter.name !== tabs?.filter && !isFlag(filter),
  );
  const active = filters.filter(({ name }) => view.filters[name]).length;
  const filtersLabel = active > 0 ? `Filters ${active}` : 'Filters';

  return (
    <div className={styles.toolbar} role="search" aria-label={`${noun}s`}>
      <SearchField
        ref={search}
        label={`Search ${noun}s`}
        hint={options.searchHint}
        q={view.q}
        onSearch={(q) => change({ q }, 'type')}
      />
      {tabs?.shown}
      {flags.map(({ name, label, values: [on = ''] = [] }) => (
        <Button
          key={name}
          className={styles.flag}
          aria-pressed={view.filters[name] === on}
          onClick={() => change(withFilter(view, name, view.filters[name] ? '' : on))}
        >
          {label}
        </Button>
      ))}
      <div className={styles.tools}>
        {(filters.length > 0 || isCards) && (
          <Popover
            label={filtersLabel}
            align="end"
            trigger={
              <>
                <FilterIcon />
                <span className={styles.toolText}>{'Filters '}</span>
                {active > 0 && <span className={styles.badge}>{active}</span>}
              </>
            }
          >
            {(close) => (
              <FilterFields
                {...{ filters, view, change, schema, columns, close }}
                choices={options.choices}
                hasSort={isCards}
              />
            )}
          </Popover>
        )}
        <span className={styles.gap} />
        {Views && <Views screen={options.screen} search={control.search} onApply={control.apply} />}
        <Popover
          label="Columns"
          align="end"
          trigger={
            <>
              <ColumnsIcon />
              <span className={styles.toolText}>Columns</span>
            </>
          }
        >
          {() => (
            <ColumnChooser
              {...{ columns, view, change }}
              hasDensity={options.hasDensity ?? true}
              selecting={options.selecting}
            />
          )}
        </Popover>
        {Export && options.exports && (
          <Export list={options.exports} query={control.query} count={options.count} />
        )}
      </div>
    </div>
  );
}
