import {
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../Button';
import { ColumnsIcon, FilterIcon, SearchIcon } from '../../icons/icons';
import { useShortcuts } from '../../page/keys';
import { Popover } from '../../popover/Popover';
import { ColumnChooser } from '../columns/ColumnChooser';
import type { ColumnName } from '../columns/columns';
import { Chips } from '../filters/Chips';
import { activeFilters, type ChoiceTexts } from '../filters/filterTexts';
import { type ViewControl, withFilter } from '../filters/useView';
import { type Filter, longestSearch } from '../filters/view';
import styles from './Toolbar.module.css';
import { type ExportToolProps, type TableScreen, TableToolsContext } from './tableTools';

// The first rows do not need it. If it cannot be loaded, the rest of the screen still works.
const FilterFields = lazy(() =>
  import('../filters/panel/FilterFields').catch(() => ({ default: NotLoaded })),
);
const NotLoaded = () => <p role="alert">The filters could not be loaded. Reload the page.</p>;

export interface ToolbarOptions {
  screen: TableScreen;
  searchHint: string;
  /** A filter that the screen shows beside the table, instead of in the filter panel. */
  besides?: string;
  /** Shown after the search field. */
  tabs?: ReactNode;
  /** Values that only the server knows, by filter name. */
  choices?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What is shown for a value, by filter name, if not the value itself. */
  texts?: ChoiceTexts;
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
  /** Moves the focus to the first row, once the rows are those of the search. */
  onRows: () => void;
}

export function Toolbar(props: ToolbarProps) {
  const { options, control, columns, noun, search, isCards, onRows } = props;
  const { view, schema, change } = control;
  const { Export, Views } = useContext(TableToolsContext);
  // On a narrow screen the flags are in the filter panel: the toolbar has no room for their labels.
  const isFlag = ({ kind }: Filter) => kind === 'flag' && !isCards;
  const flags = schema.filters.filter(isFlag);
  const filters = schema.filters.filter(
    (filter) => filter.name !== options.besides && !isFlag(filter),
  );
  const active = activeFilters(filters, view, options.texts);

  return (
    <div className={styles.toolbar} role="search" aria-label={`${noun}s`}>
      <SearchField {...{ control, noun, onRows }} ref={search} hint={options.searchHint} />
      {options.tabs}
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
            label={active.length > 0 ? `Filters ${active.length}` : 'Filters'}
            trigger={
              <>
                <ToolTrigger Icon={FilterIcon} word="Filters " />
                {active.length > 0 && <span className={styles.badge}>{active.length}</span>}
              </>
            }
          >
            {(close, guard) => (
              <Suspense>
                <FilterFields
                  {...{ filters, control, columns, close, guard }}
                  choices={options.choices}
                  texts={options.texts}
                  kept={options.besides}
                  hasSort={isCards}
                />
              </Suspense>
            )}
          </Popover>
        )}
        <span />
        {Views && <Views screen={options.screen} search={control.search} onApply={control.apply} />}
        <Popover label="Columns" trigger={<ToolTrigger Icon={ColumnsIcon} word="Columns" />}>
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
      {active.length > 0 && <Chips {...{ active, control }} kept={options.besides} />}
    </div>
  );
}

/** The content of a toolbar button; on a narrow screen only the icon is visible. */
export function ToolTrigger({ Icon, word }: { Icon: ComponentType; word: string }) {
  return (
    <>
      <Icon />
      <span className={styles.toolText}>{word}</span>
    </>
  );
}

interface SearchFieldProps extends Pick<ToolbarProps, 'control' | 'noun' | 'onRows'> {
  ref: RefObject<HTMLInputElement | null>;
  hint: string;
}

/** Long enough that a word typed at a normal pace is one search. */
const pauseMilliseconds = 200;

function SearchField({ ref, control, noun, hint, onRows }: SearchFieldProps) {
  const { q } = control.view;
  const [text, setText] = useState(q);
  const sent = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Back, a link or a saved view changed the search: update the field.
  useEffect(() => {
    if (q === sent.current) return;
    clearTimeout(timer.current);
    sent.current = q;
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    control.change({ q: next }, 'type');
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), next === '' ? 0 : pauseMilliseconds);
  };

  const clear = () => {
    setText('');
    send('');
  };
  // The first Escape leaves the field. The second one, outside of it, clears the search.
  useShortcuts(({ key }) => (key === 'Escape' && text !== '' ? clear : undefined));

  return (
    <div className={styles.search}>
      <SearchIcon />
      <input
        ref={ref}
        type="search"
        aria-label={`Search ${noun}s`}
        aria-keyshortcuts="/"
        placeholder={hint}
        title={hint}
        maxLength={longestSearch}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          if (key === 'Escape') currentTarget.blur();
          else if (key === 'Enter' || key === 'ArrowDown') {
            send(text);
            onRows();
          } else return;
          event.preventDefault();
        }}
      />
    </div>
  );
}
