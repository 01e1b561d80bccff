import { useWhoHasOpen } from '../../api/live';
import { Clipped } from '../../ui/table/Clipped';
import styles from './ClaimName.module.css';
import type { Claim } from './claimsQuery';

/** Whose claim it is, and which other admin is at it. */
export function ClaimName({ claim }: { claim: Claim }) {
  const { username } = claim.user;
  return (
    <span className={styles.line}>
      <Clipped header="User Name">{username}</Clipped>
      <OpenElsewhere id={claim._id} />
    </span>
  );
}

/** `isLong` in words, where there is room for them. */
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
