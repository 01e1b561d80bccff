import type { QrReading } from '../../../entities/qr/qr';
import styles from './Findings.module.css';

/** Says what a picture pays, then lists each finding against displaying it. */
export function Findings({ sentence, findings }: Pick<QrReading, 'sentence' | 'findings'>) {
  // For a picture that pays nobody, the sentence and the finding are the same.
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
