import { useReading } from '../../api/pagedList';
import {
  type Purchase,
  type PurchaseDetails,
  purchaseDetailsOptions,
} from '../../entities/purchase/purchase';
import { LoadTrouble } from '../../ui/notices/Alert';
import { Link } from '../../ui/page/address';
import { purchasesPath } from '../../ui/page/paths';
import { Day } from '../../ui/text/Day';
import { ExternalId } from '../../ui/text/ExternalId';
import { shownName } from '../../ui/text/names';
import { formatRupees } from '../../ui/text/rupees';
import { PaymentProof } from './PaymentProof';
import styles from './PurchasePanel.module.css';
import { SettleFindings } from './SettleFindings';

/** The numbers of a purchase, its payment proof, and what is odd about it. */
export function PurchasePanel({ purchase }: { purchase: Purchase }) {
  const reading = useReading(purchaseDetailsOptions(purchase._id));
  const { data } = reading;
  return (
    <>
      <p className={styles.number}>
        {purchase.number}
        <ExternalId id={data?.externalId} />
      </p>
      <LoadTrouble
        what="The details and the payment proof"
        isLoaded={data !== undefined}
        reading={reading}
      />
      {data?.proof && <PaymentProof purchaseId={purchase._id} proof={data.proof} />}
      <SettleFindings key={purchase._id} purchase={purchase}>
        <Related purchases={data?.related ?? []} />
      </SettleFindings>
    </>
  );
}

/** Links to the purchases that the findings are about. */
function Related({ purchases }: { purchases: PurchaseDetails['related'] }) {
  if (purchases.length === 0) return null;
  return (
    <section aria-label="Compare with">
      <h3 className="subheading">Compare with</h3>
      <ul className="small">
        {purchases.map((other) => (
          <li key={other._id} className={styles.entry}>
            <Link href={`${purchasesPath}/${other.number}`}>{other.number}</Link>
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
