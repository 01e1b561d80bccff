import type { QrCode } from '../../../entities/qr/qr';
import { classes } from '../../../ui/classes';
import { altOf } from '../table/qrColumns';
import styles from './QrPictures.module.css';

interface QrPicturesProps {
  qr: QrCode;
  isSmall?: boolean;
}

/** The picture that customers see, drawn from the text that was read and compared, next to the uploaded picture. */
export function QrPictures({ qr, isSmall = false }: QrPicturesProps) {
  const { qrImage, uploadedImage, isDrawn } = qr;
  return (
    <div className={classes(styles.pictures, isSmall && styles.small)}>
      <figure className={styles.picture}>
        <img src={qrImage} alt={altOf(qr)} />
        <figcaption>{isDrawn ? 'Customers see' : 'Uploaded'}</figcaption>
      </figure>
      {isDrawn && uploadedImage && (
        <figure className={styles.picture}>
          <img src={uploadedImage} alt={`Upload of ${qr.name}`} loading="lazy" />
          <figcaption>Uploaded</figcaption>
        </figure>
      )}
    </div>
  );
}
