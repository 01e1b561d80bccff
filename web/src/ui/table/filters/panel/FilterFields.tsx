import { Fragment, useId, useImperativeHandle, useRef } from 'react';
import { Button } from '../../../Button';
import { classes } from '../../../classes';
import field from '../../../form/Field.module.css';
import type { Guard } from '../../../popover/Popover';
import type { ColumnName } from '../../columns/columns';
import { type ChoiceTexts, rangeName } from '../filterTexts';
import { presetOf, presets } from '../presets';
import { type ViewControl, withFilter } from '../useView';
import { type Filter, isFiltered, type View, withoutFilters } from '../view';
import styles from './FilterFields.module.css';
import { AmountField, type Choose, DayField } from './TypedFields';

interface FilterFieldsProps {
  filters: readonly Filter[];
  control: Pick<ViewControl, 'view' | 'schema' | 'change'>;
  columns: readonly ColumnName[];
  close: () => void;
  guard: Guard;
  choices: Readonly<Record<string, readonly string[]>> | undefined;
  /** What is shown for a value, by filter name, if not the value itself. */
  texts?: ChoiceTexts | undefined;
  /** The filter that clearing keeps. */
  kept?: string | undefined;
  /** Cards have no header row to sort by. */
  hasSort: boolean;
}

/** Each choice takes effect at once, and the table stays visible beside the panel. */
export default function FilterFields(props: FilterFieldsProps) {
  const { filters, columns, close, choices, texts, kept, hasSort } = props;
  const { view, schema, change } = props.control;
  const sorts = columns.filter(({ sort }) => sort && schema.sorts.includes(sort));
  const fields = useUnfinishedDates(props.guard);
  // An amount takes effect a moment after it was typed. By then another filter may have been chosen.
  const latest = useRef(view);
  latest.current = view;

  return (
    <div {...fields} className={styles.fields}>
      {filters.map((filter) => {
        const { name, label } = filter;
        const value = view.filters[name] ?? '';
        if (filter.needs && !view.filters[filter.needs]) return null;
        if (filter.isSetByLinks && !value) return null;
        const onChoose: Choose = (next, how) => change(withFilter(latest.current, name, next), how);
        if (filter.kind === 'flag') {
          const [on = ''] = filter.values ?? [];
          return (
            <label key={name} className={classes(styles.flag, styles.whole)}>
              <input
                type="checkbox"
                checked={value === on}
                onChange={(event) => onChoose(event.target.checked ? on : '')}
              />
              {label}
            </label>
          );
        }
        if (filter.kind === 'choice') {
          const values = filter.values ?? choices?.[name] ?? [];
          // A link may name a value that the server no longer offers.
          const offered = value && !values.includes(value) ? [value, ...values] : values;
          const options = [
            ['', 'Any'] as const,
            ...offered.map((one) => [one, texts?.[name]?.(one) ?? one] as const),
          ];
          return <SelectField key={name} {...{ label, value, options, onChoose }} />;
        }
        const TypedField = filter.kind === 'day' ? DayField : AmountField;
        const crossed = crossedBy(filter, filters, view);
        const end = filters.find((other) => other.endOf === name);
        return (
          <Fragment key={name}>
            {filter.kind === 'day' && end && <Presets {...{ filter, end, view, change }} />}
            <TypedField {...{ filter, value, onChoose, crossed }} />
          </Fragment>
        );
      })}
      {hasSort && (
        <SelectField
          label="Sort by"
          value={view.sort || schema.defaultSort}
          options={sorts.flatMap(({ sort = '', header }) => [
            [sort, `${header}, ascending`] as const,
            [`-${sort}`, `${header}, descending`] as const,
          ])}
          onChoose={(sort) => change({ sort: sort === schema.defaultSort ? '' : sort })}
        />
      )}
      <Button
        className={styles.whole}
        disabled={!isFiltered(view)}
        onClick={() => {
          for (const date of datesIn(fields.ref.current)) date.value = '';
          close();
          change(withoutFilters(view, kept));
        }}
      >
        Clear filters
      </Button>
    </div>
  );
}

const datesIn = (fields: HTMLElement | null) =>
  fields?.querySelectorAll<HTMLInputElement>('input[type=date]') ?? [];

/** Keeps the panel open once, and says why, when a date in it is incomplete: closing the panel would lose it. */
function useUnfinishedDates(guard: Guard) {
  const ref = useRef<HTMLDivElement>(null);
  const warned = useRef<HTMLInputElement>(null);
  useImperativeHandle(guard, () => () => {
    const unfinished = [...datesIn(ref.current)].find(({ validity }) => validity.badInput);
    if (!unfinished || unfinished === warned.current) return true;
    warned.current = unfinished;
    // Leaving the field shows its message.
    unfinished.blur();
    setTimeout(() => unfinished.focus());
    return false;
  });
  const forget = () => {
    warned.current = null;
  };
  return { ref, onInput: forget };
}

interface PresetsProps extends Pick<ViewControl, 'view' | 'change'> {
  filter: Filter;
  end: Filter;
}

/** The usual periods of a range of days, one click each. */
function Presets({ filter, end, view, change }: PresetsProps) {
  const chosen = presetOf(view.filters[filter.name], view.filters[end.name]);
  return (
    <div role="group" aria-label={rangeName(filter)} className={styles.presets}>
      <span className={styles.range} aria-hidden="true">
        {rangeName(filter)}
      </span>
      {presets().map(({ name, from, to }) => {
        const isChosen = name === chosen?.name;
        const { [filter.name]: _, [end.name]: __, ...others } = view.filters;
        const days = isChosen ? {} : { [filter.name]: from, [end.name]: to };
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            onClick={() => change({ filters: { ...others, ...days } })}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}

/** The error for a range that ends before it begins, e.g. from 500 to 100. */
function crossedBy(filter: Filter, filters: readonly Filter[], view: View): string {
  const begin = filters.find(({ name }) => name === filter.endOf);
  const from = begin && view.filters[begin.name];
  const to = view.filters[filter.name];
  if (!from || !to) return '';
  const isAmount = filter.kind === 'amount';
  // Dates are in ISO format, so they compare correctly as text.
  if (isAmount ? Number(from) <= Number(to) : from <= to) return '';
  return `“${begin.label}” is ${isAmount ? 'above' : 'after'} “${filter.label}”: nothing can match.`;
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}

function SelectField({ label, value, options, onChoose }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classes(field.field, styles.whole)}>
      <div className={field.top}>
        <label htmlFor={id}>{label}</label>
      </div>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
