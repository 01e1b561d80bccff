import { Fragment } from 'react';
import type { Claim } from '../../../entities/claim/claim';
import { Button } from '../../../ui/Button';
import { CopyIcon } from '../../../ui/icons/icons';
import { WarningNote } from '../../../ui/notices/WarningNote';
import { copyText } from '../../../ui/text/CopyButton';
import { formatRupees } from '../../../ui/text/rupees';
import styles from './ClaimPanel.module.css';
import { PanelSection } from './ClaimSections';

/** The values that a bank's form asks for, in the order of the keys that copy them. */
export const bankValues = (claim: Claim) => [
  { name: 'Account No', shown: claim.accountNo, text: claim.accountNo },
  { name: 'IFSC', shown: claim.ifsc, text: claim.ifsc },
  { name: 'Amount', shown: formatRupees(claim.amount), text: plainAmount(claim) },
];

interface BankDetailsProps {
  claim: Claim;
  /** The name of the value that was copied last. */
  copied: string;
  onCopy: (place: number) => void;
}

export function BankDetails({ claim, copied, onCopy }: BankDetailsProps) {
  return (
    <PanelSection title="Pay to">
      <dl className="small">
        {bankValues(claim).map(({ name, shown }, place) => (
          <Fragment key={name}>
            <div className={styles.field}>
              <dt className="quiet">{name}</dt>
              <dd className="figures wrap">{shown}</dd>
              <dd className="line quiet tiny">
                <span aria-hidden="true">{copied === name ? 'Copied' : ''}</span>
                <span className={styles.key} aria-hidden="true">
                  {place + 1}
                </span>
                <Button
                  look="icon"
                  size="row"
                  aria-label={`Copy ${name}`}
                  onClick={() => onCopy(place)}
                >
                  <CopyIcon />
                </Button>
              </dd>
            </div>
            {name === 'IFSC' && <Bank bank={claim.bank} />}
          </Fragment>
        ))}
        <div className={styles.field}>
          <dt className="quiet">Mobile</dt>
          <dd className="figures wrap">{claim.user.mobile}</dd>
        </div>
        <div className={styles.field} data-lines>
          <dt className="quiet">Address</dt>
          <dd className="figures wrap">{claim.address}</dd>
        </div>
      </dl>
    </PanelSection>
  );
}

function Bank({ bank: { name, note } }: Pick<Claim, 'bank'>) {
  if (!name && !note) return null;
  return (
    <div className={styles.field} data-lines>
      <dt className="quiet">Bank</dt>
      <dd className="figures wrap">
        {name}
        <WarningNote>{note}</WarningNote>
      </dd>
    </div>
  );
}

/** As a bank's form expects it: no currency sign, no digit grouping. */
const plainAmount = (claim: Claim) => claim.amount.toFixed(2);

/** Copies account, IFSC and amount, one per line. Returns the message to show. */
export async function copyBank(claim: Claim): Promise<string> {
  const lines = [claim.accountNo, claim.ifsc, plainAmount(claim)];
  return (await copyText(lines.join('\n')))
    ? `Copied account, IFSC and amount of ${claim.user.username}.`
    : 'Copying is not allowed here.';
}
