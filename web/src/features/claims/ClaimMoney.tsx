import { ClaimStatusLabel } from '../../entities/claim/ClaimStatusLabel';
import type { ClaimDetails } from '../../entities/claim/claim';
import { Day } from '../../ui/Day';
import { FindingsMark } from '../../ui/FindingsMark';
import { countOf, formatRupees } from '../../ui/rupees';
import styles from './ClaimPanel.module.css';
import { PanelSection } from './PanelSection';

/** With a real minus sign, as in a written sum. */
const less = (amount: number) => `−\u2009${formatRupees(amount)}`;
const signed = (amount: number) => (amount < 0 ? less(-amount) : formatRupees(amount));

/** What the client may claim, as a calculation. This claim itself is not included. */
export function Arithmetic({ sum, amount }: { sum: ClaimDetails['arithmetic']; amount: number }) {
  return (
    <PanelSection title="What may be claimed">
      <dl className={styles.sum}>
        <Line name="Earned to date" value={formatRupees(sum.earned)} />
        <Line name="Paid out" value={less(sum.paid)} />
        <Line name="In other open claims" value={less(sum.inFlight)} />
        <Line name="May be claimed" value={signed(sum.claimable)} isResult />
        <Line name="This claim" value={formatRupees(amount)} />
      </dl>
    </PanelSection>
  );
}

function Line({ name, value, isResult }: { name: string; value: string; isResult?: boolean }) {
  return (
    <div className={styles.line} data-result={isResult || undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const newest = (shown: number, count: number) => (shown < count ? `, the newest ${shown}` : '');

export function Purchases({ purchases }: { purchases: ClaimDetails['purchases'] }) {
  const { count, items } = purchases;
  return (
    <PanelSection title="Purchases" note={`${count}${newest(items.length, count)}`}>
      {count === 0 && <p className={styles.nothing}>This client has bought nothing.</p>}
      <ul className={styles.list}>
        {items.map((purchase) => (
          <li key={purchase._id} className={styles.entry}>
            <Day at={purchase.createdAt} />
            <span className={styles.middle}>
              {`${formatRupees(purchase.invest)} · ${formatRupees(purchase.dailyIncome)} a day for ${countOf(purchase.days, 'day')}`}
            </span>
            <span className={styles.figure}>{formatRupees(purchase.earned)}</span>
            <span className={styles.under}>
              {`${purchase.upiId} `}
              <FindingsMark findings={purchase.findings} />
              {` · ${purchase.qrName}`}
            </span>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

export function OtherClaims({ claims }: { claims: ClaimDetails['otherClaims'] }) {
  const { count, items } = claims;
  return (
    <PanelSection title="Other claims" note={`${count}${newest(items.length, count)}`}>
      {count === 0 && <p className={styles.nothing}>This is the client’s only claim.</p>}
      <ul className={styles.list}>
        {items.map((claim) => (
          <li key={claim._id} className={styles.entry}>
            <Day at={claim.createdAt} />
            <span className={styles.middle}>
              <ClaimStatusLabel status={claim.status} />
            </span>
            <span className={styles.figure}>{formatRupees(claim.amount)}</span>
            <span className={styles.under}>{`${claim.accountNo} · ${claim.ifsc}`}</span>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
