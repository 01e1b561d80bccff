import type { ClaimDetails } from '../../entities/claim/claim';
import styles from './ClaimPanel.module.css';

/** Facts to read before pressing the buttons. They inform and block nothing. */
export function ClaimFacts({ details }: { details: ClaimDetails }) {
  if (details.facts.length === 0) {
    return <p className={styles.noFacts}>Nothing stands out about this claim.</p>;
  }
  return (
    <ul className={styles.facts} aria-label="Worth a look">
      {details.facts.map(({ code, sentence }) => (
        <li key={`${code} ${sentence}`}>{sentence}</li>
      ))}
    </ul>
  );
}
