import { type ReactNode, useId } from 'react';
import type { Claim, ClaimDetails } from '../../../entities/claim/claim';
import { ClaimStatusLabel } from '../../../entities/claim/status';
import { Link } from '../../../ui/page/address';
import { claimsPath, purchasesPath, receiptPath } from '../../../ui/page/paths';
import { FindingsMark } from '../../../ui/popover/FindingsMark';
import { CopyButton } from '../../../ui/text/CopyButton';
import { Day } from '../../../ui/text/Day';
import { formatMoment } from '../../../ui/text/dates';
import { countOf, formatRupees } from '../../../ui/text/rupees';
import { Skeleton } from '../../../ui/text/Skeleton';
import styles from './ClaimPanel.module.css';

const less = (amount: number) => `−${formatRupees(amount)}`;

/** What the client may claim, as a calculation. This claim itself is not included. */
export function Arithmetic({ sum, amount }: { sum: ClaimDetails['arithmetic']; amount: number }) {
  return (
    <PanelSection title="Balance">
      <dl className="small">
        <Line name="Earned to date" value={formatRupees(sum.earned)} />
        <Line name="Paid out" value={less(sum.paid)} />
        <Line name="In other open claims" value={less(sum.inFlight)} />
        <Line name="Available to withdraw" value={formatRupees(sum.claimable)} isResult />
        <Line name="This claim" value={formatRupees(amount)} />
      </dl>
    </PanelSection>
  );
}

/** What was paid, by whom and when. The account follows below it. */
export function Payout({ claim }: { claim: Claim }) {
  const { reference, by, at } = claim.payout ?? {};
  return (
    <PanelSection title="Payout">
      <dl className="small">
        <div className={styles.field}>
          <dt className="quiet">Reference</dt>
          <dd className="figures wrap">{reference ?? 'Not recorded'}</dd>
          <dd className="line quiet tiny">
            {reference && <CopyButton what="bank reference" text={reference} />}
          </dd>
        </div>
        <div className={styles.field} data-lines>
          <dt className="quiet">Paid by</dt>
          <dd className="wrap">{by ?? 'Not recorded'}</dd>
        </div>
        <div className={styles.field} data-lines>
          <dt className="quiet">Paid on</dt>
          <dd className="figures">{at ? formatMoment(at) : 'Not recorded'}</dd>
        </div>
      </dl>
      <Link href={`${receiptPath}/${claim.number}`} className={styles.receipt}>
        Receipt
      </Link>
    </PanelSection>
  );
}

function Line({ name, value, isResult }: { name: string; value: string; isResult?: boolean }) {
  return (
    <div className={styles.sum} data-result={isResult || undefined}>
      <dt>{name}</dt>
      <dd className="figures">{value}</dd>
    </div>
  );
}

const newest = (shown: number, count: number) => (shown < count ? `, the newest ${shown}` : '');

export function Purchases({ purchases }: { purchases: ClaimDetails['purchases'] }) {
  const { count, items } = purchases;
  return (
    <PanelSection title="Purchases" note={`${count}${newest(items.length, count)}`}>
      {count === 0 && <p className="small quiet">No purchases.</p>}
      <ul className="small">
        {items.map((purchase) => (
          <li key={purchase._id} className={styles.entry}>
            <Day at={purchase.createdAt} />
            <span>
              {`${formatRupees(purchase.invest)} · ${formatRupees(purchase.dailyIncome)}/day · ${countOf(purchase.days, 'day')}`}
            </span>
            <span className="medium figures">{formatRupees(purchase.earned)}</span>
            <span className={styles.under}>
              <Link href={`${purchasesPath}/${purchase.number}`}>{purchase.number}</Link>
              {` · ${purchase.upiId} `}
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
      {count === 0 && <p className="small quiet">This is the client’s only claim.</p>}
      <ul className="small">
        {items.map((claim) => (
          <li key={claim._id} className={styles.entry}>
            <Day at={claim.createdAt} />
            <span>
              <ClaimStatusLabel status={claim.status} />
            </span>
            <span className="medium figures">{formatRupees(claim.amount)}</span>
            <span className={styles.under}>
              <Link href={`${claimsPath}/${claim.number}`}>{claim.number}</Link>
              {` · ${claim.accountNo} · ${claim.ifsc}`}
            </span>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

type Step = ClaimDetails['timeline'][number];

/** The history of the claim. The latest step comes first, because it is what admins look for most. */
export function ClaimTimeline({ timeline }: { timeline: readonly Step[] }) {
  return (
    <PanelSection title="Timeline">
      <ol className="small">
        {timeline.toReversed().map((step) => (
          <li key={step.number} className={styles.step}>
            <ClaimStatusLabel status={step.to} />
            <span className="quiet">
              {whoOf(step)}
              <time dateTime={step.at}>{formatMoment(step.at)}</time>
            </span>
            {step.reason && <q className={styles.reason}>{step.reason}</q>}
            {step.reference && (
              <span className={styles.reference}>{`Bank reference ${step.reference}`}</span>
            )}
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

const whoOf = ({ from, by }: Step) => {
  if (from === null) return 'Requested by client, ';
  return by === null ? '' : `by ${by}, `;
};

interface PanelSectionProps {
  title: string;
  note?: string;
  children: ReactNode;
}

export function PanelSection({ title, note, children }: PanelSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h3 id={id} className={styles.heading} aria-label={note && `${title}, ${note}`}>
        {title}
        {note && <span className={styles.note}>{note}</span>}
      </h3>
      {children}
    </section>
  );
}

const sections = [
  ['arithmetic', ['60%', '60%', '60%', '60%', '60%']],
  ['timeline', ['80%', '70%']],
  ['purchases', ['90%', '90%']],
] as const;

/** About as high as the content that is loading. */
export function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading the details…">
      {sections.map(([name, widths]) => (
        <div key={name} className={styles.section} aria-hidden="true">
          <div className={styles.bar}>
            <Skeleton width="96px" />
          </div>
          {widths.map((width, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
            <div key={place} className={styles.bar}>
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface ClaimFactsProps {
  /** Undefined while they load. */
  facts: ClaimDetails['facts'] | undefined;
}

/** Facts to read before pressing the buttons. They inform and block nothing. */
export function ClaimFacts({ facts }: ClaimFactsProps) {
  if (!facts?.length) {
    return <p className={styles.noFacts}>{facts ? 'No warnings.' : 'Checking for warnings…'}</p>;
  }
  return (
    <ul className={styles.facts} aria-label="Worth a look">
      {facts.map(({ code, sentence }) => (
        <li key={`${code} ${sentence}`}>{sentence}</li>
      ))}
    </ul>
  );
}
