import { useId } from 'react';
import type { Figure, HomeFigures } from '../../entities/home/home';
import { Link } from '../../ui/page/address';
import { formatCount, shortRupees, sumRupees } from '../../ui/text/rupees';
import { type FigureColumn, FigureTable } from './FigureTable';
import styles from './Home.module.css';
import { reachedLink, requestedLink } from './homeLinks';
import { ageTexts, dayNear } from './homeTexts';

type Queue = HomeFigures['queues'][number];
type Person = HomeFigures['people'][number];

/** What waits for an admin, and for how long already. */
export function Queues({ figures }: { figures: HomeFigures }) {
  const titleId = useId();
  const { queues, today } = figures;
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId} className="subheading">
        Age of the queue
      </h2>
      <div className={styles.scroll}>
        <FigureTable<Queue>
          label="Age of the queue"
          rows={queues}
          keyOf={({ status }) => status}
          head={{
            header: 'Status',
            cell: ({ status, oldestDay }) => (
              <>
                {status}
                {oldestDay && (
                  <span className="small quiet"> · oldest {dayNear(today, oldestDay)}</span>
                )}
              </>
            ),
          }}
          columns={[
            {
              header: 'All',
              text: ({ total }) => formatCount(total.count),
              link: ({ status }) => requestedLink({}, status),
            },
            {
              header: 'Amount',
              text: ({ total }) => shortRupees(total.amount),
              link: ({ status }) => requestedLink({}, status),
            },
            ...ageTexts.map(
              (header, place): FigureColumn<Queue> => ({
                header,
                text: ({ ages }) => formatCount(ages[place]?.count ?? 0),
                link: ({ status, ages }) =>
                  requestedLink({ from: ages[place]?.firstDay, to: ages[place]?.lastDay }, status),
              }),
            ),
          ]}
        />
      </div>
    </section>
  );
}

const moves = [
  { field: 'accepted', header: 'Accepted', status: 'Accepted' },
  { field: 'paid', header: 'Paid', status: 'Paid' },
  { field: 'held', header: 'On hold', status: 'On hold' },
  { field: 'rejected', header: 'Rejected', status: 'Rejected' },
  { field: 'returned', header: 'Returned', status: 'Returned' },
] as const;

/** Work by admin in the period. Each claim counts where it came to a status last. */
export function People({ figures }: { figures: HomeFigures }) {
  const titleId = useId();
  const { people, days } = figures;
  const period = { from: days[0]?.day, to: days.at(-1)?.day };
  const column = (
    header: string,
    status: string,
    text: (person: Person) => string,
  ): FigureColumn<Person> => ({
    header,
    text,
    link: ({ name }) => reachedLink(status, period, name),
  });
  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h2 id={titleId} className="subheading">
        Work by admin
      </h2>
      {people.length === 0 ? (
        <p className="quiet">No claims were moved in this period.</p>
      ) : (
        <div className={styles.scroll}>
          <FigureTable<Person>
            label="Work by admin"
            rows={people}
            keyOf={({ name }) => name}
            head={{ header: 'Admin', cell: ({ name }) => name }}
            columns={[
              ...moves.map(({ field, header, status }) =>
                column(header, status, (person) => formatCount(person[field].count)),
              ),
              column('Amount paid', 'Paid', ({ paid }) => shortRupees(paid.amount)),
            ]}
          />
        </div>
      )}
    </section>
  );
}

interface LegendProps {
  entries: readonly { name: string; total: string; href: string | null }[];
}

/** What the colours of a chart mean, and the sums of the period. */
export function Legend({ entries }: LegendProps) {
  return (
    <ul className={styles.legend}>
      {entries.map(({ name, total, href }, place) => (
        <li key={name} data-series={place}>
          {name} {href ? <Link href={href}>{total}</Link> : total}
        </li>
      ))}
    </ul>
  );
}

/** The sum of a period, from its days. */
export function sumOf(figures: readonly Figure[]): Figure {
  return {
    count: figures.reduce((sum, { count }) => sum + count, 0),
    amount: sumRupees(figures, ({ amount }) => amount),
  };
}
