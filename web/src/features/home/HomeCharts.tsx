import type { Figure, HomeFigures } from '../../entities/home/home';
import { formatCount, shortRupees } from '../../ui/text/rupees';
import { DayChart } from './DayChart';
import { type FigureColumn, FigureTable } from './FigureTable';
import { Legend, sumOf } from './HomeTables';
import { moneyLink, type Period, reachedLink, requestedLink } from './homeLinks';
import { durationText, shortDay } from './homeTexts';

type Day = HomeFigures['days'][number];

interface ChartProps {
  figures: HomeFigures;
}

/** The three moments of a claim that are counted per day. */
const moments = [
  {
    name: 'Requested',
    of: (day: Day) => day.requested,
    link: (period: Period) => requestedLink(period),
  },
  {
    name: 'Accepted',
    of: (day: Day) => day.accepted,
    link: (period: Period) => reachedLink('Accepted', period),
  },
  {
    name: 'Paid',
    of: (day: Day) => day.paid,
    link: (period: Period) => reachedLink('Paid', period),
  },
] as const;

const ofDay = ({ day }: Day): Period => ({ from: day, to: day });
const periodOf = ({ days }: HomeFigures): Period => ({
  from: days[0]?.day,
  to: days.at(-1)?.day,
});

function DayTable(props: {
  label: string;
  figures: HomeFigures;
  columns: readonly FigureColumn<Day>[];
}) {
  // Newest first, as in every list.
  return (
    <FigureTable<Day>
      label={props.label}
      rows={[...props.figures.days].reverse()}
      keyOf={({ day }) => day}
      head={{ header: 'Day', cell: ({ day }) => shortDay(day) }}
      columns={props.columns}
    />
  );
}

function MomentsChart(
  props: ChartProps & { title: string; of: (figure: Figure) => number; format: typeof formatCount },
) {
  const { figures, title, of, format } = props;
  const { days } = figures;
  return (
    <DayChart
      title={title}
      days={days.map(({ day }) => day)}
      series={moments.map((moment) => ({
        name: moment.name,
        values: days.map((day) => of(moment.of(day))),
      }))}
      format={format}
      legend={
        <Legend
          entries={moments.map((moment) => ({
            name: moment.name,
            total: format(of(sumOf(days.map(moment.of)))),
            href: moment.link(periodOf(figures)),
          }))}
        />
      }
      table={
        <DayTable
          label={title}
          figures={figures}
          columns={moments.map((moment) => ({
            header: moment.name,
            text: (day) => format(of(moment.of(day))),
            link: (day) => moment.link(ofDay(day)),
          }))}
        />
      }
    />
  );
}

export const ClaimsChart = ({ figures }: ChartProps) => (
  <MomentsChart
    figures={figures}
    title="Claims per day"
    of={({ count }) => count}
    format={formatCount}
  />
);

export const AmountsChart = ({ figures }: ChartProps) => (
  <MomentsChart
    figures={figures}
    title="Amounts per day"
    of={({ amount }) => amount}
    format={shortRupees}
  />
);

/** How long clients waited for their money, by the day on which they got it. */
export function TimeChart({ figures }: ChartProps) {
  const { days, medianMinutes, p90Minutes } = figures;
  const paid = (period: Period) => reachedLink('Paid', period);
  const title = 'Time from request to payment';
  return (
    <DayChart
      title={title}
      days={days.map(({ day }) => day)}
      series={[
        { name: 'Half within', values: days.map((day) => day.medianMinutes) },
        { name: '90 % within', values: days.map((day) => day.p90Minutes) },
      ]}
      format={durationText}
      legend={
        <Legend
          entries={[
            {
              name: 'Half within',
              total: durationText(medianMinutes),
              href: paid(periodOf(figures)),
            },
            { name: '90 % within', total: durationText(p90Minutes), href: paid(periodOf(figures)) },
          ]}
        />
      }
      table={
        <DayTable
          label={title}
          figures={figures}
          columns={[
            {
              header: 'Paid',
              text: ({ paid: { count } }) => formatCount(count),
              link: (day) => paid(ofDay(day)),
            },
            {
              header: 'Half within',
              text: (day) => durationText(day.medianMinutes),
              link: (day) => paid(ofDay(day)),
            },
            {
              header: '90 % within',
              text: (day) => durationText(day.p90Minutes),
              link: (day) => paid(ofDay(day)),
            },
          ]}
        />
      }
    />
  );
}

/** More colours could not be told apart. */
const mostColours = 5;

/** What came in through each QR code. */
export function MoneyChart({ figures }: ChartProps) {
  const { days, codes } = figures;
  const title = 'Money in per QR code and day';
  const shown = codes.filter(({ name }) => name !== null).slice(0, mostColours);
  const others = codes.filter((code) => !shown.includes(code));
  const series = shown.map(({ name, days: amounts }) => ({ name: name ?? '', values: amounts }));
  const rest = days.map((_, place) =>
    others.reduce((sum, code) => sum + (code.days[place] ?? 0), 0),
  );
  const linkTo = (name: string | null, period: Period) =>
    name === null ? null : moneyLink(period, name);
  return (
    <DayChart
      title={title}
      days={days.map(({ day }) => day)}
      series={others.length > 0 ? [...series, { name: 'Other codes', values: rest }] : series}
      isStacked
      format={shortRupees}
      legend={
        <Legend
          entries={[
            ...shown.map(({ name, total }) => ({
              name: name ?? '',
              total: shortRupees(total.amount),
              href: linkTo(name, periodOf(figures)),
            })),
            ...(others.length > 0
              ? [
                  {
                    name: 'Other codes',
                    total: shortRupees(sumOf(others.map(({ total }) => total)).amount),
                    href: null,
                  },
                ]
              : []),
          ]}
        />
      }
      table={
        <>
          <FigureTable
            label="Money in per QR code"
            rows={codes}
            keyOf={({ name }) => name ?? ''}
            head={{ header: 'QR Name', cell: ({ name }) => name ?? 'All further codes' }}
            columns={[
              {
                header: 'Purchases',
                text: ({ total }) => formatCount(total.count),
                link: ({ name }) => linkTo(name, periodOf(figures)),
              },
              {
                header: 'Amount',
                text: ({ total }) => shortRupees(total.amount),
                link: ({ name }) => linkTo(name, periodOf(figures)),
              },
            ]}
          />
          <DayTable
            label={title}
            figures={figures}
            columns={[
              {
                header: 'All codes',
                text: ({ moneyIn }) => shortRupees(moneyIn.amount),
                link: (day) => moneyLink(ofDay(day)),
              },
              ...shown.map(
                ({ name, days: amounts }): FigureColumn<Day> => ({
                  header: name ?? '',
                  text: (day) => shortRupees(amounts[days.indexOf(day)] ?? 0),
                  link: (day) => linkTo(name, ofDay(day)),
                }),
              ),
            ]}
          />
        </>
      }
    />
  );
}
