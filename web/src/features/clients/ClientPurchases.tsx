import type { Client } from '../../entities/client/client';
import { Day } from '../../ui/Day';
import { FindingsMark } from '../../ui/FindingsMark';
import { Money } from '../../ui/Money';
import { countOf, formatRupees } from '../../ui/rupees';
import styles from './ClientScreen.module.css';
import { countText } from './countText';
import { Section } from './Section';

export function ClientPurchases({ purchases }: { purchases: Client['purchases'] }) {
  const { count, items } = purchases;
  return (
    <Section title="Purchases" note={countText(items.length, count)}>
      {count === 0 && <p className={styles.nothing}>This client has bought nothing yet.</p>}
      <ul className={styles.list}>
        {items.map((purchase) => (
          <li key={purchase._id} className={styles.entry}>
            <Day at={purchase.createdAt} />
            <span className={styles.middle}>
              <span className={styles.earned}>
                {`${formatRupees(purchase.dailyIncome)} a day, ${purchase.claimType}: ${formatRupees(purchase.earned)} in ${countOf(purchase.days, 'day')}`}
              </span>
              <span className={styles.under}>
                {`${purchase.upiId} `}
                <FindingsMark findings={purchase.findings} />
                {` · ${purchase.qrName}`}
              </span>
            </span>
            <span className={styles.figure}>
              <Money amount={purchase.invest} loud />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
