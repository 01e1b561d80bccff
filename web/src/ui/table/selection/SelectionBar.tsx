import { useContext, useRef, useState } from 'react';
import { Button } from '../../Button';
import { copyText } from '../../text/CopyButton';
import { isMasked } from '../../text/MaskedNumber';
import { countOf, formatCount, formatRupees, sumRupees } from '../../text/rupees';
import type { Column } from '../columns/columns';
import type { Matches } from '../frame/Summary';
import { type SeenRow, TableToolsContext } from '../frame/tableTools';
import styles from './SelectionBar.module.css';
import type { Selection } from './selection';

interface SelectionBarProps<Row> {
  selection: Selection<Row>;
  matches: Matches;
  noun: string;
  columns: readonly Column<Row>[];
  amountOf: ((row: Row) => number) | undefined;
  compare: ((one: Row, other: Row) => number) | undefined;
  /** The filters, as the server's query parameters. */
  query: Readonly<Record<string, string>>;
  sort: string | undefined;
  /** If given, the selected rows can be changed together. */
  seenOf: ((row: Row) => SeenRow) | undefined;
}

export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selection, matches, noun, columns, amountOf, compare, query, sort, seenOf } = props;
  const { counted } = matches;
  const { Bulk } = useContext(TableToolsContext);
  const [copied, setCopied] = useState<{ of: readonly Row[]; sentence: string }>({
    of: [],
    sentence: '',
  });
  const bar = useRef<HTMLElement>(null);
  const chosen = [...selection.rows.values()];
  if (compare) chosen.sort((one, other) => compare(one.now, other.now));
  const rows = chosen.map(({ now }) => now);
  // A page that was only read again has the same rows.
  const isOfThese =
    copied.of.length === rows.length && rows.every((row, index) => row === copied.of[index]);
  const ofRows = amountOf && sumRupees(rows, amountOf);

  const copy = async () => {
    const lines = linesOf(rows, columns);
    const isCopied = await copyText(lines.join('\n'));
    const before = linesOf(
      chosen.map(({ seen }) => seen),
      columns,
    );
    const changed = lines.filter((line, index) => line !== before[index]).length;
    const one = changed === 1 ? 'it' : 'them';
    const warning =
      changed > 0 ? ` ${formatCount(changed)} changed since you selected ${one}.` : '';
    const isLess = rows.some((row, index) =>
      columns.some(({ text }) => isMasked(text?.(row, index) ?? '')),
    );
    const done = `Copied ${countOf(rows.length, noun)}${isLess ? ' without what is masked' : ''}.${warning}`;
    const sentence = isCopied ? done : 'Copying is not allowed here.';
    setCopied({ of: rows, sentence });
  };
  const clear = () => {
    // The bar disappears and would lose the focus: move it to the table above, so that the keys keep working.
    const table = bar.current?.parentElement?.querySelector<HTMLElement>('[role="table"]');
    table?.focus({ preventScroll: true });
    selection.clear();
  };
  const chooseAll = () => {
    selection.chooseAll();
    // The number of selected rows must be exact.
    if (counted && !counted.isExact) matches.onCountAll();
  };

  return (
    <section ref={bar} aria-label="Selection" className={styles.bar}>
      <p className={styles.what} aria-live="polite">
        {selection.isAll
          ? sentenceOfAll(rows.length, ofRows, props)
          : withSum(`${countOf(rows.length, noun)} selected`, ofRows)}
      </p>
      {!selection.isAll && counted && !(counted.isExact && counted.count <= rows.length) && (
        <Button look="link" onClick={chooseAll}>
          {`Select all ${counted.isExact ? formatCount(counted.count) : `${noun}s`} that match`}
        </Button>
      )}
      <span className={styles.copied} role="status">
        {isOfThese && copied.sentence}
      </span>
      {Bulk && seenOf && (
        <Bulk
          // As the admin saw them: what has changed since is left out of a batch, and its sheet says so.
          rows={chosen.map(({ seen }) => seenOf(seen))}
          isAll={selection.isAll}
          query={query}
          sort={sort}
          onStarted={selection.clear}
        />
      )}
      {!selection.isAll && (
        <Button size="row" onClick={() => void copy()}>
          Copy
        </Button>
      )}
      <Button size="row" onClick={clear}>
        Clear
      </Button>
    </section>
  );
}

const withSum = (text: string, sum: number | null | undefined) =>
  typeof sum === 'number' ? `${text} · ${formatRupees(sum)}` : text;

function sentenceOfAll<Row>(
  leftOut: number,
  sumLeftOut: number | undefined,
  { matches, noun }: SelectionBarProps<Row>,
): string {
  const { counted, sum, isCounting } = matches;
  const except = leftOut > 0 ? ` except ${formatCount(leftOut)}` : '';
  if (!counted?.isExact) {
    return `All ${noun}s that match${except} selected${isCounting ? ', counting…' : ''}`;
  }
  const rest =
    typeof sum === 'number' ? Math.round((sum - (sumLeftOut ?? 0)) * 100) / 100 : undefined;
  const count = countOf(counted.count - leftOut, noun);
  // The number counts the selected rows only, so "all" must not precede it if some are excluded.
  return except
    ? `${withSum(`${count} selected`, rest)} · all that match${except}`
    : withSum(`All ${count} that match selected`, rest);
}

/** One line per row after the headings, in the format that spreadsheets paste. What is masked is left out. */
function linesOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const written = columns.filter(({ text }) => text);
  const line = (values: string[]) => values.map(asCell).join('\t');
  const head = line(written.map(({ panel, header }) => panel?.header ?? header));
  const lines = rows.map((row, index) => line(written.map(({ text }) => text?.(row, index) ?? '')));
  return [head, ...lines];
}

/** Neither a formula nor a number to a spreadsheet, which would drop the leading zeros of an account. */
function asCell(value: string): string {
  if (isMasked(value)) return '';
  const text = value.replace(/\s+/g, ' ');
  if (/^\d+$/.test(text)) return `="${text}"`;
  return /^[^\p{L}\p{N}₹]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text;
}
