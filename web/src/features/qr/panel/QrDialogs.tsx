import { useQueryClient } from '@tanstack/react-query';
import type { QrCode } from '../../../entities/qr/qr';
import { classes } from '../../../ui/classes';
import { Dialog } from '../../../ui/dialog/Dialog';
import { QrHistory } from '../history/QrHistory';
import { remove } from '../table/qrActions';
import { QrImage } from '../table/qrColumns';
import { QrConfirm } from './QrConfirm';
import { QrPanel } from './QrPanel';
import styles from './QrPanel.module.css';

/** What the admin has opened. The history is of one code, or of all. */
export type Asked =
  | { what: 'panel' | 'confirm' | 'delete'; qr: QrCode }
  | { what: 'history'; qr: QrCode | null };

interface QrDialogsProps {
  asked: Asked;
  codes: readonly QrCode[];
  /** Null closes the panel or dialog. */
  onAsk: (asked: Asked | null) => void;
}

export function QrDialogs({ asked, codes, onAsk }: QrDialogsProps) {
  const client = useQueryClient();
  const close = () => onAsk(null);
  if (asked.what === 'history') return <QrHistory qr={asked.qr} onClose={close} />;

  const qr = codes.find(({ _id }) => _id === asked.qr._id) ?? asked.qr;
  switch (asked.what) {
    case 'delete': {
      const onConfirm = () => {
        close();
        // The row is about to be removed: the title of the table is the nearest element that stays.
        focusOn('#qr-table');
        void remove(client, qr);
      };
      return (
        <Dialog
          title="Are you sure you want to delete this QR?"
          confirm={{ label: 'Delete', look: 'danger', isGrave: true, onConfirm }}
          onClose={close}
        >
          <div className={styles.beside}>
            <QrImage qr={qr} />
            <div className={styles.text}>
              <p className="medium">{qr.name}</p>
              <p>{qr.upiId}</p>
              <p className={classes('quiet', styles.below)}>
                {qr.status === 'display'
                  ? 'Customers can see it now. They will no longer be able to pay to it here.'
                  : 'Customers do not see it now.'}
              </p>
            </div>
          </div>
        </Dialog>
      );
    }
    case 'confirm': {
      const end = () => {
        close();
        // The button that opened the dialog is gone, but the row is still there.
        focusOn(`[data-row-id="${CSS.escape(qr._id)}"]`);
      };
      return <QrConfirm qr={qr} onDone={end} onCancel={close} />;
    }
    case 'panel':
      return (
        <QrPanel
          qr={qr}
          onConfirm={() => onAsk({ what: 'confirm', qr })}
          onHistory={() => onAsk({ what: 'history', qr })}
          onClose={close}
        />
      );
  }
}

/** Waits until the dialog has returned the focus. */
const focusOn = (place: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(place)?.focus());
