import type { Client } from '../../entities/client/client';
import { formatRupees } from '../../ui/rupees';
import styles from './ClientScreen.module.css';

/** The totals of a client, over all records and not only those listed below. */
export function ClientTotals({ totals }: { totals: Client['totals'] }) {
  const figures = [
    { name: 'Invested', amount: totals.invested },
    { name: 'Earned so far', amount: totals.earned },
    { name: 'Paid out', amount: totals.paid },
    { name: 'In open claims', amount: totals.inFlight },
    { name: 'May be claimed', amount: totals.claimable },
  ];
  return (
    <dl aria-label="Totals" className={styles.totals}>
      {figures.map(({ name, amount }) => (
        <div key={name} className={styles.total}>
          <dt>{name}</dt>
          <dd data-short={amount < 0 || undefined}>{formatRupees(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
