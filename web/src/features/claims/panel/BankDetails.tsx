import { Fragment } from 'react';
import { type Claim, revealClaim } from '../../../entities/claim/claim';
import { Button } from '../../../ui/Button';
import { CopyIcon } from '../../../ui/icons/icons';
import { WarningNote } from '../../../ui/notices/WarningNote';
import { MaskedNumber } from '../../../ui/text/MaskedNumber';
import { bankValues } from './bankValues';
import styles from './ClaimPanel.module.css';
import { PanelSection } from './ClaimSections';

interface BankDetailsProps {
  claim: Claim;
  /** What was corrected since the panel showed it first. */
  corrected: string;
  /** The value that was copied last. */
  copied: string;
  onCopy: (place: number) => void;
  onRevealed: (accountNo: string) => void;
}

export function BankDetails({ claim, corrected, copied, onCopy, onRevealed }: BankDetailsProps) {
  // What was shown of one version of the claim says nothing about the next.
  const seen = `${claim._id} ${claim.version}`;
  const revealAccount = async () => {
    const { accountNo } = await revealClaim(claim._id);
    onRevealed(accountNo);
    return accountNo;
  };
  return (
    <PanelSection title={claim.status === 'Paid' ? 'Paid to' : 'Pay to'}>
      {corrected && (
        <p role="alert">
          <WarningNote>{corrected}</WarningNote>
        </p>
      )}
      <dl className="small">
        {bankValues(claim).map(({ name, shown, text }, place) => (
          <Fragment key={name}>
            <div className={styles.field}>
              <dt className="quiet">{name}</dt>
              <dd className="figures wrap">
                {name === 'Account No' ? (
                  <MaskedNumber
                    key={seen}
                    name="account number"
                    number={shown}
                    onReveal={revealAccount}
                  />
                ) : (
                  shown
                )}
              </dd>
              <dd className="line quiet tiny">
                <span aria-hidden="true">{copied === text ? 'Copied' : ''}</span>
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
          <dd className="figures wrap">
            <MaskedNumber
              key={seen}
              name="mobile number"
              number={claim.user.mobile}
              onReveal={async () => (await revealClaim(claim._id)).mobile}
            />
          </dd>
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
