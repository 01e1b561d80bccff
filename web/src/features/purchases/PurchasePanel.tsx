import { useQuery } from '@tanstack/react-query';
import { type Purchase, purchaseDetailsOptions } from '../../entities/purchase/purchase';
import { Link } from '../../ui/page/address';
import { Day } from '../../ui/text/Day';
import { shownName } from '../../ui/text/names';
import { formatRupees } from '../../ui/text/rupees';
import styles from './PurchasePanel.module.css';
import { SettleFindings } from './SettleFindings';

/** The number of a purchase, and what is odd about it. */
export function PurchasePanel({ purchase }: { purchase: Purchase }) {
  return (
    <>
      <p className={styles.number}>{purchase.number}</p>
      <SettleFindings key={purchase._id} purchase={purchase}>
        <Related purchase={purchase} />
      </SettleFindings>
    </>
  );
}

/** Links to the purchases that the findings are about. */
function Related({ purchase }: { purchase: Purchase }) {
  const isAboutOthers = purchase.findings.some(
    ({ code }) => code === 'repeated' || code === 'near',
  );
  const { data } = useQuery({
    ...purchaseDetailsOptions(purchase._id),
    enabled: isAboutOthers,
  });
  const related = isAboutOthers ? (data?.related ?? []) : [];
  if (related.length === 0) return null;
  return (
    <section aria-label="Compare with">
      <h3 className="subheading">Compare with</h3>
      <ul className="small">
        {related.map((other) => (
          <li key={other._id} className={styles.entry}>
            <Link href={`/Data/${other.number}`}>{other.number}</Link>
            <span className="wrap">{shownName(other.user)}</span>
            <span className="medium figures">{formatRupees(other.invest)}</span>
            <span className="quiet figures wrap">{other.upiId}</span>
            <span className="quiet">
              <Day at={other.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
