import { type KeyboardEvent, useEffect, useState } from 'react';
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
        return <TypedField key={filter.name} {...{ filter, value, onChoose }} />;
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

interface TypedFieldProps {
  filter: Filter;
  value: string;
  onChoose: (value: string) => void;
}

/** Takes effect when it is left or Enter is pressed: half an amount is another amount. */
function TypedField({ filter, value, onChoose }: TypedFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const isBad = text !== '' && !isGood(filter, text);
  const send = (next: string) => {
    if (next !== value && (next === '' || isGood(filter, next))) onChoose(next);
  };
  const isDay = filter.kind === 'day';
  return (
    <Field
      label={filter.label}
      type={isDay ? 'date' : 'text'}
      inputMode={isDay ? undefined : 'decimal'}
      autoComplete="off"
      value={text}
      invalid={isBad}
      onChange={(event) => {
        const next = isDay ? event.target.value : event.target.value.replace(/[,\s₹]/g, '');
        setText(next);
        // A day is picked whole.
        if (isDay) send(next);
      }}
      onBlur={() => send(text)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter') send(text);
      }}
    />
  );
}
