import type { QrCode } from '../../../entities/qr/qr';
import { Dialog } from '../../../ui/dialog/Dialog';
import image from '../table/QrImage.module.css';
import { altOf } from '../table/qrColumns';
import styles from './DeleteConfirm.module.css';

interface DeleteConfirmProps {
  qr: QrCode;
  onConfirm: () => void;
  onCancel: () => void;
}

export function DeleteConfirm({ qr, onConfirm, onCancel }: DeleteConfirmProps) {
  return (
    <Dialog
      title="Are you sure you want to delete this QR?"
      confirm={{ label: 'Delete', look: 'danger', isGrave: true, onConfirm }}
      onClose={onCancel}
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
    </Dialog>
  );
}
