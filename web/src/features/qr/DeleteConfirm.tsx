import { ConfirmDialog } from '../../ui/ConfirmDialog';
import styles from './DeleteConfirm.module.css';
import image from './QrImage.module.css';
import { altOf } from './qrColumns';
import type { QrCode } from './qrQuery';

interface DeleteConfirmProps {
  qr: QrCode;
  onConfirm: () => void;
  onCancel: () => void;
}

export function DeleteConfirm({ qr, onConfirm, onCancel }: DeleteConfirmProps) {
  return (
    <ConfirmDialog
      title="Are you sure you want to delete this QR?"
      confirmLabel="Delete"
      confirmLook="danger"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={styles.qr}>
        <img src={qr.qrImage} alt={altOf(qr)} width={100} className={image.image} />
        <div className={styles.text}>
          <p className={styles.name}>{qr.name}</p>
          <p>{qr.upiId}</p>
          <p className={styles.note}>
            {qr.status === 'display'
              ? 'Customers can see it now. They will no longer be able to pay to it here.'
              : 'Customers do not see it now.'}
          </p>
        </div>
      </div>
    </ConfirmDialog>
  );
}
