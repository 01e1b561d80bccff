import { type ReactNode, useId } from 'react';
import styles from './Home.module.css';
import { shortDay } from './homeTexts';

export interface Series {
  name: string;
  /** One for each day; null where there is nothing to show. */
  values: readonly (number | null)[];
}

interface DayChartProps {
  title: string;
  days: readonly string[];
  series: readonly Series[];
  /** Bars stacked upon each other, instead of lines. */
  isStacked?: boolean;
  format: (value: number) => string;
  /** What the colours mean, with the sums. */
  legend: ReactNode;
  /** The same figures, day by day. */
  table: ReactNode;
}

/** The height of the drawing. Its width is the number of days: it is stretched to its place. */
const height = 100;

export function DayChart(props: DayChartProps) {
  const { title, days, series, isStacked = false, format, legend, table } = props;
  const titleId = useId();
  const highest = highestOf(props);
  const middle = days[Math.floor(days.length / 2)];
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId} className="subheading">
        {title}
      </h2>
      {legend}
      <div className={styles.chart}>
        <span className={styles.highest}>{format(highest)}</span>
        <svg
          role="img"
          aria-label={`${title}, ${shortDay(days[0] ?? '')} to ${shortDay(days.at(-1) ?? '')}. The table below has the figures.`}
          viewBox={`0 0 ${days.length} ${height}`}
          preserveAspectRatio="none"
        >
          {isStacked ? <Bars {...{ series, highest }} /> : <Curves {...{ series, highest }} />}
          {days.map((day, place) => (
            <rect key={day} className={styles.day} x={place} y="0" width="1" height={height}>
              <title>{wordsOf(day, place, props)}</title>
            </rect>
          ))}
        </svg>
        <div className={styles.axis} aria-hidden="true">
          {[...new Set([days[0], middle, days.at(-1)])].map(
            (day) => day && <span key={day}>{shortDay(day)}</span>,
          )}
        </div>
      </div>
      <details className={styles.details}>
        <summary>Show as a table</summary>
        <div className={styles.scroll}>{table}</div>
      </details>
    </section>
  );
}

type Shapes = Pick<DayChartProps, 'series'> & { highest: number };

function Curves({ series, highest }: Shapes) {
  return series.map(({ name, values }, place) => {
    const points = values.flatMap((value, day) =>
      value === null ? [] : [`${day + 0.5},${height - (value / highest) * height}`],
    );
    return (
      <polyline key={name} data-series={place} className={styles.line} points={points.join(' ')} />
    );
  });
}

function Bars({ series, highest }: Shapes) {
  const days = series[0]?.values.length ?? 0;
  return Array.from({ length: days }, (_, day) => {
    let below = 0;
    return series.map(({ name, values }, place) => {
      const part = ((values[day] ?? 0) / highest) * height;
      below += part;
      if (part === 0) return null;
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: days are never reordered
          key={`${name} ${day}`}
          data-series={place}
          className={styles.bar}
          x={day + 0.12}
          y={height - below}
          width="0.76"
          height={part}
        />
      );
    });
  });
}

/** The top of the scale; never 0, because everything is divided by it. */
function highestOf({ series, isStacked }: DayChartProps): number {
  const columns = series[0]?.values.map((_, day) => series.map(({ values }) => values[day] ?? 0));
  const tops = (columns ?? []).map((column) =>
    isStacked ? column.reduce((sum, value) => sum + value, 0) : Math.max(...column),
  );
  return Math.max(0, ...tops) || 1;
}

/** “16 Nov: Requested 12, Paid 3” */
function wordsOf(day: string, place: number, { series, format }: DayChartProps): string {
  const parts = series.flatMap(({ name, values }) => {
    const value = values[place];
    return value === null || value === undefined ? [] : [`${name} ${format(value)}`];
  });
  return `${shortDay(day)}: ${parts.join(', ') || 'nothing'}`;
}
