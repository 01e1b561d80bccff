import styles from './Findings.module.css';
import type { QrReading } from './qrQuery';

/** What a picture pays, in words, and what speaks against displaying it, a line for each. */
export function Findings({ sentence, findings }: Pick<QrReading, 'sentence' | 'findings'>) {
  // Of a picture that pays nobody there is only one thing to say.
  const isSaid = findings.some((finding) => finding.sentence === sentence);
  return (
    <>
      {!isSaid && <p className={styles.pays}>{sentence}</p>}
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Findings">
          {findings.map((finding) => (
            <li key={finding.code}>{finding.sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
