import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Button } from '../Button';
import { Field } from '../Field';
import type { ColumnName } from './columns';
import styles from './FilterFields.module.css';
import { SelectField } from './SelectField';
import { withFilter } from './useView';
import { type Filter, isGood, isNarrowed, type View, type ViewSchema } from './view';

interface FilterFieldsProps {
  filters: readonly Filter[];
  schema: ViewSchema;
  columns: readonly ColumnName[];
  view: View;
  change: (part: Partial<View>) => void;
  close: () => void;
  choices: Readonly<Record<string, readonly string[]>> | undefined;
  /** Cards have no head to sort by. */
  hasSort: boolean;
}

/** Every choice takes effect at once; the table can be seen beside it. */
export default function FilterFields(props: FilterFieldsProps) {
  const { filters, schema, columns, view, change, close, choices, hasSort } = props;
  const choose = (name: string, value: string) => change(withFilter(view, name, value));
  const sorts = columns.filter(({ sort }) => sort && schema.sorts.includes(sort));

  return (
    <div className={styles.fields}>
      {filters.map((filter) => {
        const value = view.filters[filter.name] ?? '';
        const onChoose = (next: string) => choose(filter.name, next);
        if (filter.kind === 'flag') {
          const [on = ''] = filter.values ?? [];
          return (
            <label key={filter.name} className={styles.flag}>
              <input
                type="checkbox"
                checked={value === on}
                onChange={(event) => onChoose(event.target.checked ? on : '')}
              />
              {filter.label}
            </label>
          );
        }
        if (filter.kind === 'choice') {
          const values = filter.values ?? choices?.[filter.name] ?? [];
          // A link may name a value that the server no longer offers.
          const offered = value && !values.includes(value) ? [value, ...values] : values;
          const options = offered.map((option) => ({ value: option, label: option }));
          return (
            <SelectField
              key={filter.name}
              label={filter.label}
              options={[{ value: '', label: 'Any' }, ...options]}
              {...{ value, onChoose }}
            />
          );
        }
        return (
          <TypedField
            key={filter.name}
            {...{ filter, value, onChoose }}
            crossed={crossedBy(filter, filters, view)}
          />
        );
      })}
      {hasSort && (
        <SelectField
          label="Sort by"
          value={view.sort || schema.defaultSort}
          options={sorts.flatMap(({ sort = '', header }) => [
            { value: sort, label: `${header}, ascending` },
            { value: `-${sort}`, label: `${header}, descending` },
          ])}
          onChoose={(sort) => change({ sort: sort === schema.defaultSort ? '' : sort })}
        />
      )}
      <div className={styles.buttons}>
        <Button
          disabled={!isNarrowed(view)}
          onClick={() => {
            close();
            change({ q: '', filters: {} });
          }}
        >
          Clear search and filters
        </Button>
      </div>
    </div>
  );
}

/** What to say at the end of a range that begins after it, e.g. from 500 to 100. */
function crossedBy(filter: Filter, filters: readonly Filter[], view: View): string {
  const begin = filters.find(({ name }) => name === filter.endOf);
  const from = begin && view.filters[begin.name];
  const to = view.filters[filter.name];
  if (!from || !to) return '';
  const isAmount = filter.kind === 'amount';
  // Days are written so that they sort as text.
  if (isAmount ? Number(from) <= Number(to) : from <= to) return '';
  return `“${begin.label}” is ${isAmount ? 'above' : 'after'} “${filter.label}”: nothing can match.`;
}

interface TypedFieldProps {
  filter: Filter;
  value: string;
  onChoose: (value: string) => void;
  /** What is wrong with the range that it ends. */
  crossed: string;
}

/** Takes effect when it is left or Enter is pressed: half an amount is another amount. */
function TypedField({ filter, value, onChoose, crossed }: TypedFieldProps) {
  const [text, setText] = useState(value);
  const [isLeft, setIsLeft] = useState(false);
  const problemId = useId();
  useEffect(() => setText(value), [value]);
  const isDay = filter.kind === 'day';
  const isBad = text !== '' && !isGood(filter, text);
  // A year is typed digit by digit, and after a point come paise: not wrong yet.
  const isBegun = isDay || /^\d+\.$/.test(text);
  const problem = !isBad ? crossed : isLeft || !isBegun ? problemOf(filter, value) : '';
  const send = () => {
    setIsLeft(true);
    if (text !== value && !isBad) onChoose(text);
  };
  return (
    <>
      <Field
        label={filter.label}
        type={isDay ? 'date' : 'text'}
        inputMode={isDay ? undefined : 'decimal'}
        autoComplete="off"
        value={text}
        invalid={problem !== ''}
        aria-describedby={problem ? problemId : undefined}
        onChange={(event) => {
          const next = isDay ? event.target.value : event.target.value.replace(/[,\s₹]/g, '');
          setText(next);
          setIsLeft(false);
          // A day is picked whole.
          if (isDay && (next === '' || isGood(filter, next))) onChoose(next);
        }}
        onBlur={send}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') send();
        }}
      />
      {problem && (
        <p id={problemId} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}

/** What can be typed, and what the list goes by until then. */
function problemOf(filter: Filter, value: string): string {
  const wanted =
    filter.kind === 'day'
      ? 'Choose a day between 1900 and 2099.'
      : 'Type an amount like 1500 or 1500.50, with at most 11 digits before the point.';
  return value ? `${wanted} Until then ${value} holds.` : wanted;
}
