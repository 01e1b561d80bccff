import type { Claim } from '../../../entities/claim/claim';
import { WarningIcon } from '../../../ui/icons/icons';
import { Clipped } from '../../../ui/table/rows/TableRow';
import styles from './ClaimBank.module.css';

/** The code, and below it the name of the bank. A problem with the code replaces the name, because it matters more. */
export function ClaimBank({ claim: { ifsc, bank } }: { claim: Claim }) {
  return (
    <span className={styles.bank}>
      <span className={styles.code}>
        <Clipped header="IFSC">{ifsc}</Clipped>
      </span>
      {bank.note ? (
        <span className={styles.note}>
          <WarningIcon />
          <Clipped header="IFSC">{bank.note}</Clipped>
        </span>
      ) : (
        <span className={styles.name}>
          <Clipped header="Bank">{bank.name}</Clipped>
        </span>
      )}
    </span>
  );
}
