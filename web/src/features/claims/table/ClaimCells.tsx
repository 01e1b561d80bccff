import { useWhoHasOpen } from '../../../api/live';
import type { Claim } from '../../../entities/claim/claim';
import { WarningIcon } from '../../../ui/icons/icons';
import { Clipped } from '../../../ui/table/rows/TableRow';
import { shownName } from '../../../ui/text/names';
import styles from './ClaimCells.module.css';

/** The name of the client, and the other admins who have the claim open. */
export function ClaimName({ claim }: { claim: Claim }) {
  return (
    <span className={styles.line}>
      <Clipped header="User Name">{shownName(claim.user)}</Clipped>
      <OpenElsewhere id={claim._id} />
    </span>
  );
}

/** `isLong` shows a sentence instead of initials, where there is space. */
export function OpenElsewhere({ id, isLong = false }: { id: string; isLong?: boolean }) {
  const names = useWhoHasOpen(id);
  if (!names) return null;
  const sentence = `${names} ${names.includes(',') ? 'have' : 'has'} this open`;
  return (
    <span className={styles.mark} title={sentence}>
      {isLong ? (
        sentence
      ) : (
        <>
          <span aria-hidden="true">{names.slice(0, 2).toUpperCase()}</span>
          <span className="visually-hidden">{` ${sentence}`}</span>
        </>
      )}
    </span>
  );
}

/**
 * The code, and below it the name of the bank. A problem with the code replaces the name, because it matters more. There
 * is no room for the sentence about it: it is in the panel.
 */
export function ClaimBank({ claim: { ifsc, bank } }: { claim: Claim }) {
  return (
    <span className={styles.bank}>
      <span className={styles.code}>
        <Clipped header="IFSC">{ifsc}</Clipped>
      </span>
      {bank.note ? (
        <span className={styles.note} title={bank.note}>
          <WarningIcon />
          <span>Check code</span>
          <span className="visually-hidden">{`: ${bank.note}`}</span>
        </span>
      ) : (
        <span className={styles.name}>
          <Clipped header="Bank">{bank.name}</Clipped>
        </span>
      )}
    </span>
  );
}
