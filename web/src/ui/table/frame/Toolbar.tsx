import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../Button';
import { ColumnsIcon, FilterIcon, SearchIcon } from '../../icons/icons';
import { Popover } from '../../popover/Popover';
import { formatCount } from '../../text/rupees';
import { ColumnChooser } from '../columns/ColumnChooser';
import type { ColumnName } from '../columns/columns';
import { FilterFields } from '../filters/FilterFields';
import { type ViewControl, withFilter } from '../filters/useView';
import { type Filter, longestSearch } from '../filters/view';
import { plainCount } from './Summary';
import styles from './Toolbar.module.css';
import { type ExportToolProps, type TableScreen, TableToolsContext } from './tableTools';

export interface ToolbarOptions {
  screen: TableScreen;
  searchHint: string;
  /** Shows one filter as tabs instead of in the filter panel. */
  tabs?: { filter: string; shown: ReactNode };
  /** Values that only the server knows, by filter name. */
  choices?: Readonly<Record<string, readonly string[]>> | undefined;
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

  return (
    <div className={styles.toolbar} role="search" aria-label={`${noun}s`}>
      <SearchField {...{ control, noun }} ref={search} hint={options.searchHint} />
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
            label={active > 0 ? `Filters ${active}` : 'Filters'}
            trigger={
              <>
                <ToolTrigger Icon={FilterIcon} word="Filters " />
                {active > 0 && <span className={styles.badge}>{active}</span>}
              </>
            }
          >
            {(close) => (
              <FilterFields
                {...{ filters, control, columns, close }}
                choices={options.choices}
                hasSort={isCards}
              />
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

export interface Tab {
  /** The value of the filter; empty for all. */
  value: string;
  label: string;
  count: number | undefined;
  /** If false, there are more than `count`. */
  isExact: boolean;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChoose: (value: string) => void;
}

/** The most used filter, always visible, with the number of matches for each choice. */
export function Tabs({ label, tabs, value, onChoose }: TabsProps) {
  return (
    <div role="group" aria-label={label} className={styles.tabs}>
      {tabs.map(({ value: own, label: name, count, isExact }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          className={styles.tab}
          onClick={() => onChoose(own)}
        >
          {name}
          {count !== undefined && (
            <span className={styles.count}>
              {` ${formatCount(plainCount({ count, isExact }))}${isExact ? '' : '+'}`}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

interface SearchFieldProps extends Pick<ToolbarProps, 'control' | 'noun'> {
  ref: RefObject<HTMLInputElement | null>;
  hint: string;
}

/** Long enough that a word typed at a normal pace is one search. */
const pauseMilliseconds = 200;

function SearchField({ ref, control, noun, hint }: SearchFieldProps) {
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

  return (
    <div className={styles.search}>
      <SearchIcon />
      <input
        ref={ref}
        type="search"
        aria-label={`Search ${noun}s`}
        aria-keyshortcuts="/"
        placeholder={hint}
        maxLength={longestSearch}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          // A second Escape, on an empty field, leaves it.
          if (text === '') event.currentTarget.blur();
          setText('');
          send('');
        }}
      />
    </div>
  );
}
