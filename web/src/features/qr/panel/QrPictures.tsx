import type { QrCode, QrReading } from '../../../entities/qr/qr';
import { classes } from '../../../ui/classes';
import { altOf } from '../table/qrColumns';
import styles from './QrPanel.module.css';

interface QrPicturesProps {
  qr: QrCode;
  isSmall?: boolean;
  /** Without the uploaded picture. */
  isDrawnOnly?: boolean;
}

/** The picture that customers see, drawn from the text that was read and compared, next to the uploaded picture. */
export function QrPictures({ qr, isSmall = false, isDrawnOnly = false }: QrPicturesProps) {
  const { qrImage, uploadedImage, isDrawn } = qr;
  return (
    <div className={classes(styles.pictures, isSmall && styles.small)}>
      <figure className={styles.picture}>
        <img src={qrImage} alt={altOf(qr)} />
        <figcaption className={styles.caption}>{isDrawn ? 'Customers see' : 'Uploaded'}</figcaption>
      </figure>
      {isDrawn && uploadedImage && !isDrawnOnly && (
        <figure className={styles.picture}>
          <img src={uploadedImage} alt={`Upload of ${qr.name}`} loading="lazy" />
          <figcaption className={styles.caption}>Uploaded</figcaption>
        </figure>
      )}
    </div>
  );
}

/** Says what a picture pays, then lists each finding against displaying it. No payee is named twice. */
export function Findings({ sentence, findings }: Pick<QrReading, 'sentence' | 'findings'>) {
  // A finding about the payee, or that there is none, says it already.
  const isSaid = findings.some(
    (finding) => finding.code === 'other_payee' || finding.sentence === sentence,
  );
  return (
    <>
      {!isSaid && <p className="medium wrap">{sentence}</p>}
      {findings.length > 0 && (
        <ul className="notable wrap" aria-label="Findings">
          {findings.map((finding) => (
            <li key={finding.code}>{finding.sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
