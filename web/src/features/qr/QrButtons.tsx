import type { MouseEvent } from 'react';
import { useIsBusy } from '../../api/rowWork';
import { Button } from '../../ui/Button';
import styles from './QrButtons.module.css';
import type { QrCode, QrStatus } from './qrQuery';
import { qrWork } from './qrWork';

export interface QrHandlers {
  onStatus: (qr: QrCode, status: QrStatus) => void;
  onDelete: (qr: QrCode) => void;
}

export function QrButtons({ qr, onStatus, onDelete }: QrHandlers & { qr: QrCode }) {
  const isBusy = useIsBusy(qrWork, qr._id);
  const shared = { size: 'row', 'aria-busy': isBusy, 'aria-description': qr.name } as const;

  const setStatus = (event: MouseEvent, status: QrStatus) => {
    // The button is about to be disabled, which would drop the focus to the top of the page.
    event.currentTarget.closest<HTMLElement>('[role="row"]')?.focus({ preventScroll: true });
    onStatus(qr, status);
  };

  return (
    <div className={styles.buttons}>
      <Button
        {...shared}
        disabled={isBusy || qr.status === 'display'}
        onClick={(event) => setStatus(event, 'display')}
      >
        Display
      </Button>
      <Button
        {...shared}
        disabled={isBusy || qr.status === 'hide'}
        onClick={(event) => setStatus(event, 'hide')}
      >
        Hide
      </Button>
      <Button {...shared} look="danger" disabled={isBusy} onClick={() => onDelete(qr)}>
        Delete
      </Button>
    </div>
  );
}
