import { classes } from '../../ui/classes';
import { Money } from '../../ui/text/Money';
import { formatCount } from '../../ui/text/rupees';
import styles from './Importing.module.css';
import type { Import, TotalsLine } from './imports';
import { isNothing, nounLabels, nouns } from './importTexts';

/** Rows and sums by status and month, of the files and of the same rows in the desk. */
export function TotalsTables({ found: { report, state } }: { found: Import }) {
  const isDone = state === 'done';
  const totals = report?.totals ?? [];
  const shown = nouns.filter((noun) => totals.some((line) => line.noun === noun));
  if (shown.length === 0) return null;
  return (
    <details className={styles.details} open={isDone}>
      <summary>Totals by status and month</summary>
      {shown.map((noun) => (
        <NounTotals
          key={noun}
          title={nounLabels[noun]}
          lines={totals.filter((line) => line.noun === noun)}
          isDone={isDone}
        />
      ))}
    </details>
  );
}

interface NounTotalsProps {
  title: string;
  lines: readonly TotalsLine[];
  isDone: boolean;
}

function NounTotals({ title, lines, isDone }: NounTotalsProps) {
  return (
    <table
      aria-label={`Totals of ${title}`}
      className={classes(styles.figures, styles.totals)}
      data-desk={isDone || undefined}
    >
      <thead>
        <tr>
          <th scope="col">
            {title}
            <p className="tiny">
              {['Rows', ...Object.keys(lines[0]?.source.sums ?? {})].join(', ')}
            </p>
          </th>
          <th scope="col">In the files</th>
          <th scope="col">Bad</th>
          {isDone && <th scope="col">In the desk</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.group}>
            <th scope="row">
              {line.group.charAt(0).toUpperCase() + line.group.slice(1)}
              {isDone && !isNothing(line.missing) && <p className={styles.differs}>differs</p>}
            </th>
            <Cell part={line.source} />
            <Cell part={line.bad} />
            {isDone && <Cell part={line.desk} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ part: { rows, sums } }: { part: TotalsLine['source'] }) {
  return (
    <td>
      {formatCount(rows)}
      {rows > 0 &&
        Object.entries(sums).map(([title, sum]) => (
          <p key={title} className="tiny quiet" title={title}>
            <Money amount={sum} />
          </p>
        ))}
    </td>
  );
}
