import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { QrCode } from '../../../entities/qr/qr';
import { classes } from '../../../ui/classes';
import { Dialog } from '../../../ui/dialog/Dialog';
import { notLoaded } from '../../../ui/notices/NotLoaded';
import { remove } from '../table/qrActions';
import { QrImage } from '../table/qrColumns';
import { QrConfirm } from './QrConfirm';
import { QrDisplay } from './QrDisplay';
import styles from './QrPanel.module.css';

// Loaded when it is opened. It needs the server for its content anyway.
const QrHistory = lazy(() => import('../history/QrHistory').catch(notLoaded));

/** What the admin has opened. The history is of one code, or of all. */
export type Asked =
  | { what: 'confirm' | 'delete' | 'display'; qr: QrCode }
  | { what: 'history'; qr: QrCode | null };

interface QrDialogsProps {
  asked: Asked;
  codes: readonly QrCode[];
  /** Null closes the dialog. */
  onAsk: (asked: Asked | null) => void;
  /** `seen` are the codes on display among which the admin has chosen. */
  onDisplay: (qr: QrCode, replaced: QrCode | null, seen: readonly QrCode[]) => void;
}

export function QrDialogs({ asked, codes, onAsk, onDisplay }: QrDialogsProps) {
  const client = useQueryClient();
  const close = () => onAsk(null);
  if (asked.what === 'history') {
    return (
      <Suspense>
        <QrHistory qr={asked.qr} onClose={close} />
      </Suspense>
    );
  }

  const qr = codes.find(({ _id }) => _id === asked.qr._id) ?? asked.qr;
  const closeAndFocusRow = () => {
    close();
    // The button that opened the dialog is gone or disabled, but the row is still there.
    focusOn(`[data-row-id="${CSS.escape(qr._id)}"]`);
  };
  switch (asked.what) {
    case 'delete': {
      const isOver = qr.status !== asked.qr.status;
      const onConfirm = () => {
        close();
        // The row is about to be removed: the title of the table is the nearest element that stays.
        focusOn('#qr-table');
        void remove(client, qr);
      };
      return (
        <Dialog
          title="Are you sure you want to delete this QR?"
          confirm={{ label: 'Delete', look: 'danger', isGrave: true, isOver, onConfirm }}
          onClose={close}
        >
          <div className={styles.beside}>
            <QrImage qr={qr} />
            <div className={styles.text}>
              <p className="medium">{qr.name}</p>
              <p>{qr.upiId}</p>
              <p className={classes('quiet', styles.below)}>
                {qr.status === 'display'
                  ? 'Customers can see it now. After this they cannot pay to it.'
                  : 'Customers do not see it now.'}
              </p>
              {isOver && (
                <p role="alert" className="odd">
                  {`It went ${qr.status === 'display' ? 'on' : 'off'} display while this was open. It was not deleted: close this, and press Delete again if you still want to.`}
                </p>
              )}
            </div>
          </div>
        </Dialog>
      );
    }
    case 'confirm':
      return <QrConfirm qr={qr} onDone={closeAndFocusRow} onCancel={close} />;
    case 'display': {
      const onChosen = (replaced: QrCode | null, seen: readonly QrCode[]) => {
        closeAndFocusRow();
        onDisplay(qr, replaced, seen);
      };
      return <QrDisplay qr={qr} codes={codes} onDisplay={onChosen} onCancel={close} />;
    }
  }
}

/** Waits until the dialog has returned the focus. */
const focusOn = (place: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(place)?.focus());
