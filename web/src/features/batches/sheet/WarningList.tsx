import { useId } from 'react';
import { nameInText } from '../../../ui/text/names';
import { formatCount, formatRupees } from '../../../ui/text/rupees';
import type { BatchClaim } from './references';
import styles from './Sheet.module.css';
import { byKind, type WarningCode, warningKey, warningNames } from './warnings';

/** Every warning, grouped by kind, the gravest first. */
export function WarningList({ claims }: { claims: readonly BatchClaim[] }) {
  return byKind(claims).map(([code, warned]) => <Kind key={code} code={code} claims={warned} />);
}

function Kind({ code, claims }: { code: WarningCode; claims: readonly BatchClaim[] }) {
  const id = useId();
  return (
    <div className={styles.kind}>
      <h3
        id={id}
        className="subheading"
      >{`${warningNames[code]}, ${formatCount(claims.length)}`}</h3>
      <ul aria-labelledby={id} className="small">
        {claims.map((claim) => (
          <li key={claim._id} data-warning={warningKey(claim, code)} className={styles.warned}>
            <span className="medium wrap">{`${claim.number} · ${nameInText(claim)}`}</span>
            <span className="figures">{formatRupees(claim.amount)}</span>
            <span className="odd wrap">
              {claim.warnings.find((warning) => warning.code === code)?.sentence}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
