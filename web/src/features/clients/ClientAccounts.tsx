import type { Client } from '../../entities/client/client';
import { formatDay } from '../../ui/dates';
import { countOf, formatCount, formatRupees } from '../../ui/rupees';
import { StatusLabel } from '../../ui/StatusLabel';
import styles from './ClientScreen.module.css';
import { Section } from './Section';
import { WarningNote } from './WarningNote';

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
          <li key={`${account.accountNo} ${account.ifsc}`} className={styles.account}>
            <p className={styles.number}>
              {`${account.accountNo} · ${account.ifsc}`}
              {account.sharedWith > 0 && (
                <StatusLabel tone="waiting">
                  {`Shared with ${countOf(account.sharedWith, 'other')}`}
                </StatusLabel>
              )}
            </p>
            {account.bank.name && <p className={styles.under}>{account.bank.name}</p>}
            <WarningNote>{account.bank.note}</WarningNote>
            <WarningNote>{account.accountNote}</WarningNote>
            <p className={styles.under}>
              {`${countOf(account.claims, 'claim')}, ${formatRupees(account.paidAmount)} paid · ${usedFrom(account)}`}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function usedFrom({ firstUsedAt, lastUsedAt }: Client['accounts'][number]): string {
  const first = formatDay(firstUsedAt);
  const last = formatDay(lastUsedAt);
  return first === last ? `used on ${first}` : `used from ${first} to ${last}`;
}
