import { type MouseEvent, useId } from 'react';
import { useIsBusy } from '../../api/rowWork';
import { Button } from '../../ui/Button';
import { formatDay } from '../../ui/dates';
import styles from './QrButtons.module.css';
import type { QrCode, QrStatus } from './qrQuery';
import { qrWork } from './qrWork';

export interface QrHandlers {
  onStatus: (qr: QrCode, status: QrStatus) => void;
  onDelete: (qr: QrCode) => void;
  onConfirm: (qr: QrCode) => void;
}

export function QrButtons({ qr, onStatus, onDelete, onConfirm }: QrHandlers & { qr: QrCode }) {
  const isBusy = useIsBusy(qrWork, qr._id);
  const noteId = useId();
  const note = noteOf(qr);
  const shared = { size: 'row', 'aria-busy': isBusy, 'aria-description': qr.name } as const;

  const setStatus = (event: MouseEvent, status: QrStatus) => {
    // The button is about to be disabled, which would drop the focus to the top of the page.
    event.currentTarget.closest<HTMLElement>('[role="row"]')?.focus({ preventScroll: true });
    onStatus(qr, status);
  };

  return (
    <div className={styles.place}>
      <div className={styles.buttons}>
        <Button
          {...shared}
          disabled={isBusy || qr.status === 'display' || !qr.canDisplay}
          aria-describedby={qr.canDisplay ? undefined : noteId}
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
        {qr.confirmBy && (
          <Button {...shared} disabled={isBusy} onClick={() => onConfirm(qr)}>
            Confirm…
          </Button>
        )}
      </div>
      {note && (
        <p id={noteId} className={styles.note} title={note}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Why a code cannot be displayed, or who said that it can. */
export function noteOf({ confirmNote, confirmed }: QrCode): string {
  if (confirmNote || !confirmed) return confirmNote;
  const { by, at, reason } = confirmed;
  return `Confirmed by ${by}, ${formatDay(at)}: ${reason}`;
}
