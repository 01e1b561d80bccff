import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { classes } from '../../../classes';
import { Field } from '../../../form/Field';
import field from '../../../form/Field.module.css';
import { formatDate } from '../../../text/dates';
import { shortRupees } from '../../../text/rupees';
import { type Filter, isValidValue } from '../view';
import styles from './FilterFields.module.css';

export type Choose = (value: string, how?: 'choose' | 'type') => void;

interface TypedFieldProps {
  filter: Filter;
  value: string;
  onChoose: Choose;
  /** The error of the range that this field ends, or an empty string. */
  crossed: string;
}

/**
 * Takes effect as soon as the date is complete. The input is uncontrolled: an incomplete date has the value '', and
 * writing that back would clear its other parts too.
 */
export function DayField({ filter, value, onChoose, crossed }: TypedFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(value);
  const chosen = useRef(value);
  const [leftBad, setLeftBad] = useState<'' | 'incomplete' | 'impossible'>('');

  useEffect(() => {
    // The value was changed elsewhere: by a link, a saved view or Clear.
    if (value === chosen.current) return;
    chosen.current = value;
    if (input.current) input.current.value = value;
    setLeftBad('');
  }, [value]);

  const badness = ({ value: day, validity }: HTMLInputElement) => {
    if (validity.badInput) return 'incomplete';
    return day !== '' && !isValidValue(filter, day) ? 'impossible' : '';
  };
  // A year is typed digit by digit, so an error is shown only after the field is left.
  const leave = () => setLeftBad(input.current ? badness(input.current) : '');
  return (
    <FilterField
      label={filter.label}
      type="date"
      ref={input}
      defaultValue={first}
      problem={leftBad ? problemOf(filter, value, leftBad === 'incomplete') : crossed}
      onChange={({ target }) => {
        setLeftBad('');
        if (badness(target)) return;
        chosen.current = target.value;
        onChoose(target.value);
      }}
      onLeave={leave}
    />
  );
}

/** Long enough that an amount typed at a normal pace is one search. */
const pauseMilliseconds = 400;
const plainAmount = (typed: string) => typed.replace(/[,\s₹]/g, '');

/** Takes effect while it is typed, after a pause, and at once on blur and on Enter. */
export function AmountField({ filter, value, onChoose, crossed }: TypedFieldProps) {
  // The text as typed: removing a comma while typing would move the cursor to the end.
  const [text, setText] = useState(value);
  const [isLeft, setIsLeft] = useState(false);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The value was changed elsewhere: by a link, a saved view or Clear.
    if (value === sent.current) return;
    clearTimeout(timer.current);
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const isBad = (amount: string) => amount !== '' && !isValidValue(filter, amount);
  const send = (amount: string, how: 'choose' | 'type') => {
    clearTimeout(timer.current);
    if (isBad(amount) || amount === sent.current) return;
    sent.current = amount;
    onChoose(amount, how);
  };
  const amount = plainAmount(text);
  // The paise are still to come, so this is not an error yet.
  const isBegun = /^\d+\.$/.test(amount);
  return (
    <FilterField
      label={filter.label}
      inputMode="decimal"
      value={text}
      problem={!isBad(amount) ? crossed : isLeft || !isBegun ? problemOf(filter, value) : ''}
      onChange={({ target: { value: typed } }) => {
        setText(typed);
        setIsLeft(false);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(plainAmount(typed), 'type'), pauseMilliseconds);
      }}
      onLeave={() => {
        setIsLeft(true);
        if (!isBad(amount)) setText(amount);
        send(amount, 'choose');
      }}
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
function problemOf(filter: Filter, value: string, isIncomplete = false): string {
  const wanted =
    filter.kind === 'amount'
      ? 'Enter an amount such as 1500.50.'
      : isIncomplete
        ? 'This date is incomplete. Enter day, month and year.'
        : 'Choose a day between 1900 and 2099.';
  if (!value) return wanted;
  const limit = filter.kind === 'day' ? formatDate(value) : shortRupees(Number(value));
  return `${wanted} Still filtering ${filter.endOf ? 'to' : 'from'} ${limit}.`;
}
