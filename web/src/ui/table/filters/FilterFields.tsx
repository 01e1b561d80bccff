import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../Button';
import { classes } from '../../classes';
import { Field } from '../../form/Field';
import field from '../../form/Field.module.css';
import type { ColumnName } from '../columns/columns';
import styles from './FilterFields.module.css';
import { type ViewControl, withFilter } from './useView';
import { type Filter, isFiltered, isValidValue, type View } from './view';

interface FilterFieldsProps {
  filters: readonly Filter[];
  control: Pick<ViewControl, 'view' | 'schema' | 'change'>;
  columns: readonly ColumnName[];
  close: () => void;
  choices: Readonly<Record<string, readonly string[]>> | undefined;
  /** Cards have no header row to sort by. */
  hasSort: boolean;
}

/** Each choice takes effect at once, and the table stays visible beside the panel. */
export function FilterFields(props: FilterFieldsProps) {
  const { filters, columns, close, choices, hasSort } = props;
  const { view, schema, change } = props.control;
  const sorts = columns.filter(({ sort }) => sort && schema.sorts.includes(sort));

  return (
    <div className={styles.fields}>
      {filters.map((filter) => {
        const { name, label } = filter;
        const value = view.filters[name] ?? '';
        const onChoose = (next: string) => change(withFilter(view, name, next));
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
          const options = [['', 'Any'] as const, ...offered.map((one) => [one, one] as const)];
          return <SelectField key={name} {...{ label, value, options, onChoose }} />;
        }
        const TypedField = filter.kind === 'day' ? DayField : AmountField;
        const crossed = crossedBy(filter, filters, view);
        return <TypedField key={name} {...{ filter, value, onChoose, crossed }} />;
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
          close();
          change({ q: '', filters: {} });
        }}
      >
        Clear search and filters
      </Button>
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

interface TypedFieldProps {
  filter: Filter;
  value: string;
  onChoose: (value: string) => void;
  /** The error of the range that this field ends, or an empty string. */
  crossed: string;
}

/**
 * Takes effect as soon as the date is complete. The input is uncontrolled: an incomplete date has the value '', and
 * writing that back would clear its other parts too.
 */
function DayField({ filter, value, onChoose, crossed }: TypedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(value);
  const chosen = useRef(value);
  const [isLeftBad, setIsLeftBad] = useState(false);

  useEffect(() => {
    // The value was changed elsewhere: by a link, a saved view or Clear.
    if (value === chosen.current) return;
    chosen.current = value;
    if (input.current) input.current.value = value;
    setIsLeftBad(false);
  }, [value]);

  const isBad = ({ value: day, validity }: HTMLInputElement) =>
    validity.badInput || (day !== '' && !isValidValue(filter, day));
  // A year is typed digit by digit, so an error is shown only after the field is left.
  const leave = () => setIsLeftBad(input.current !== null && isBad(input.current));
  return (
    <FilterField
      label={filter.label}
      type="date"
      ref={input}
      defaultValue={first}
      problem={isLeftBad ? problemOf(filter, value) : crossed}
      onChange={({ target }) => {
        setIsLeftBad(false);
        if (isBad(target)) return;
        chosen.current = target.value;
        onChoose(target.value);
      }}
      onLeave={leave}
    />
  );
}

/** Takes effect on blur or Enter: an amount that is only half typed is a different amount. */
function AmountField({ filter, value, onChoose, crossed }: TypedFieldProps) {
  // The text as typed: removing a comma while typing would move the cursor to the end.
  const [text, setText] = useState(value);
  const [isLeft, setIsLeft] = useState(false);
  useEffect(() => setText(value), [value]);
  const amount = text.replace(/[,\s₹]/g, '');
  const isBad = amount !== '' && !isValidValue(filter, amount);
  // The paise are still to come, so this is not an error yet.
  const isBegun = /^\d+\.$/.test(amount);
  const leave = () => {
    setIsLeft(true);
    if (isBad) return;
    setText(amount);
    if (amount !== value) onChoose(amount);
  };
  return (
    <FilterField
      label={filter.label}
      inputMode="decimal"
      value={text}
      problem={!isBad ? crossed : isLeft || !isBegun ? problemOf(filter, value) : ''}
      onChange={({ target }) => {
        setText(target.value);
        setIsLeft(false);
      }}
      onLeave={leave}
    />
  );
}

interface FilterFieldProps extends ComponentProps<typeof Field> {
  problem: string;
  /** Called on blur and on Enter. */
  onLeave: () => void;
}

function FilterField({ problem, onLeave, ...input }: FilterFieldProps) {
  const problemId = useId();
  return (
    <>
      <Field
        {...input}
        onBlur={onLeave}
        onKeyDown={(event) => event.key === 'Enter' && onLeave()}
        autoComplete="off"
        invalid={problem !== ''}
        aria-describedby={problem ? problemId : undefined}
      />
      {problem && (
        <p id={problemId} role="alert" className={classes(field.problem, styles.problem)}>
          {problem}
        </p>
      )}
    </>
  );
}

/** Says what is valid, and which value filters the list until then. */
function problemOf(filter: Filter, value: string): string {
  const wanted =
    filter.kind === 'day'
      ? 'Choose a day between 1900 and 2099.'
      : 'Type an amount like 1500 or 1500.50, with at most 11 digits before the point.';
  return value ? `${wanted} Until then, the filter stays at ${value}.` : wanted;
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
