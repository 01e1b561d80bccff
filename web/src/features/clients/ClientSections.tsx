import { type ReactNode, useId } from 'react';
import { ClaimStatusLabel } from '../../entities/claim/status';
import type { Client } from '../../entities/client/client';
import { WarningNote } from '../../ui/notices/WarningNote';
import { Link } from '../../ui/page/address';
import { claimsPath, purchasesPath } from '../../ui/page/paths';
import { FindingsMark } from '../../ui/popover/FindingsMark';
import { Day } from '../../ui/text/Day';
import { formatDay } from '../../ui/text/dates';
import { Money } from '../../ui/text/Money';
import { countOf, formatCount, formatRupees } from '../../ui/text/rupees';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './ClientScreen.module.css';

interface ClientClaimsProps {
  claims: Client['claims'];
  mobile: string;
}

export function ClientClaims({ claims, mobile }: ClientClaimsProps) {
  const { count, items } = claims;
  return (
    <Section
      title="Claims"
      note={countText(items.length, count)}
      link={count > 0 && <Link href={searchFor({ q: mobile })}>All in Withdraw</Link>}
    >
      {count === 0 && <p className={styles.nothing}>No claims yet.</p>}
      <ul className={styles.list}>
        {items.map((claim) => (
          <li key={claim._id} className={styles.entry}>
            <Day at={claim.createdAt} />
            <span className={styles.middle}>
              <span className={styles.status}>
                <ClaimStatusLabel status={claim.status} />
              </span>
              <span className="small quiet figures wrap">
                {`${claim.number} · ${claim.accountNo} · ${claim.ifsc}`}
              </span>
            </span>
            <Link
              href={`${claimsPath}/${claim.number}`}
              className={styles.figure}
              aria-label={`Claim ${claim.number} of ${formatRupees(claim.amount)}, ${claim.status}`}
            >
              <Money amount={claim.amount} loud />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const searchFor = (query: Record<string, string>) => `${claimsPath}?${new URLSearchParams(query)}`;

export function ClientPurchases({ purchases }: { purchases: Client['purchases'] }) {
  const { count, items } = purchases;
  return (
    <Section title="Purchases" note={countText(items.length, count)}>
      {count === 0 && <p className={styles.nothing}>No purchases yet.</p>}
      <ul className={styles.list}>
        {items.map((purchase) => (
          <li key={purchase._id} className={styles.entry}>
            <Day at={purchase.createdAt} />
            <span className={styles.middle}>
              <span className={styles.earned}>
                {`${formatRupees(purchase.dailyIncome)}/day · ${purchase.claimType} · ${formatRupees(purchase.earned)} earned in ${countOf(purchase.days, 'day')}`}
              </span>
              <span className="small quiet figures wrap">
                {`${purchase.number} · ${purchase.upiId} `}
                <FindingsMark findings={purchase.findings} />
                {` · ${purchase.qrName}`}
              </span>
            </span>
            <Link
              href={`${purchasesPath}/${purchase.number}`}
              className={styles.figure}
              aria-label={`Purchase ${purchase.number} of ${formatRupees(purchase.invest)}`}
            >
              <Money amount={purchase.invest} loud />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function ClientAccounts({ accounts }: { accounts: Client['accounts'] }) {
  return (
    <Section title="Bank accounts" note={formatCount(accounts.length)}>
      {accounts.length === 0 && (
        <p className={styles.nothing}>
          No account yet. The first one appears here with the first claim.
        </p>
      )}
      <ul className={styles.list}>
        {accounts.map((account) => (
          <li key={`${account.accountNo} ${account.ifsc}`}>
            <p className={styles.number}>
              {`${account.accountNo} · ${account.ifsc}`}
              {account.sharedWith > 0 && (
                <StatusLabel tone="waiting">
                  {`Shared with ${countOf(account.sharedWith, 'other')}`}
                </StatusLabel>
              )}
            </p>
            {account.bank.name && <p className="small quiet figures wrap">{account.bank.name}</p>}
            <WarningNote>{account.bank.note}</WarningNote>
            <WarningNote>{account.accountNote}</WarningNote>
            <p className="small quiet figures wrap">
              {`${countOf(account.claims, 'claim')}, ${formatRupees(account.paidAmount)} paid · ${usedFrom(account)}`}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function usedFrom({ firstUsedAt, lastUsedAt }: Client['accounts'][number]): string {
  // A date is not broken into two lines.
  const day = (at: string) => formatDay(at).replaceAll(' ', '\u00a0');
  const first = day(firstUsedAt);
  const last = day(lastUsedAt);
  return first === last ? `used on ${first}` : `used from ${first} to ${last}`;
}

/** The totals of a client, over all records and not only those listed below. */
export function ClientTotals({ totals }: { totals: Client['totals'] }) {
  const figures = [
    { name: 'Invested', amount: totals.invested },
    { name: 'Earned to date', amount: totals.earned },
    { name: 'Paid out', amount: totals.paid },
    { name: 'In open claims', amount: totals.inFlight },
    { name: 'Available to withdraw', amount: totals.claimable },
  ];
  return (
    <dl aria-label="Totals" className={styles.totals}>
      {figures.map(({ name, amount }) => (
        <div key={name} className={styles.total}>
          <dt className="tiny quiet">{name}</dt>
          <dd data-short={amount < 0 || undefined}>{formatRupees(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  title: string;
  note?: string;
  /** Shown at the right edge of the title. */
  link?: ReactNode;
  children: ReactNode;
}

export function Section({ title, note, link, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id} className="heading" aria-label={note && `${title}, ${note}`}>
          {title}
        </h2>
        {note && (
          <span aria-hidden="true" className="small quiet figures">
            {note}
          </span>
        )}
        {link && <span className={styles.link}>{link}</span>}
      </div>
      {children}
    </section>
  );
}

/** "3", or "120, the newest 50". */
const countText = (shown: number, count: number) =>
  shown < count ? `${formatCount(count)}, the newest ${formatCount(shown)}` : formatCount(count);
