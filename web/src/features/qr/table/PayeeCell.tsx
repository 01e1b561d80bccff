import type { QrCode } from '../../../entities/qr/qr';
import styles from './PayeeCell.module.css';

/** The typed UPI ID, and below it the payee of the picture, or what is wrong with the picture. */
export function PayeeCell({ qr }: { qr: QrCode }) {
  const { findings, payeeName } = qr.reading;
  const found = findingsOf(qr);
  return (
    <div className={styles.place}>
      <span className={styles.upiId} title={qr.upiId}>
        {qr.upiId}
      </span>
      {findings.length > 0 ? (
        <span className={styles.found} title={found}>
          {found}
        </span>
      ) : (
        payeeName && (
          <span className={styles.payee} title={payeeName}>
            {payeeName}
          </span>
        )
      )}
    </div>
  );
}

const findingsOf = (qr: QrCode) => qr.reading.findings.map(({ sentence }) => sentence).join(' ');
