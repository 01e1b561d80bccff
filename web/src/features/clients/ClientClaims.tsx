import { ClaimStatusLabel } from '../../entities/claim/ClaimStatusLabel';
import type { Claim } from '../../entities/claim/claim';
import type { Client } from '../../entities/client/client';
import { Link } from '../../ui/address';
import { Day } from '../../ui/Day';
import { Money } from '../../ui/Money';
import { formatRupees } from '../../ui/rupees';
import styles from './ClientScreen.module.css';
import { countText } from './countText';
import { Section } from './Section';

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
      {count === 0 && <p className={styles.nothing}>This client has claimed nothing yet.</p>}
      <ul className={styles.list}>
        {items.map((claim) => (
          <li key={claim._id} className={styles.entry}>
            <Day at={claim.createdAt} />
            <span className={styles.middle}>
              <span className={styles.status}>
                <ClaimStatusLabel status={claim.status} />
              </span>
              <span className={styles.under}>{`${claim.accountNo} · ${claim.ifsc}`}</span>
            </span>
            <Link
              href={searchOf(claim, mobile)}
              className={styles.figure}
              aria-label={`Claim of ${formatRupees(claim.amount)}, ${claim.status}: open in Withdraw`}
            >
              <Money amount={claim.amount} loud />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const searchFor = (query: Record<string, string>) => `/Withdraw?${new URLSearchParams(query)}`;

/** A single claim has no URL: a search by mobile number and amount narrows the list down to it. */
function searchOf({ amount }: Claim, mobile: string): string {
  return searchFor({ q: mobile, min: String(amount), max: String(amount) });
}
