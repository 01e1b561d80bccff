import { type MouseEvent, useId } from 'react';
import { useIsBusy } from '../../../api/rowTasks';
import { type QrCode, qrTasks } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { formatDay, formatMoment } from '../../../ui/text/dates';
import styles from './QrTable.module.css';

export interface QrHandlers {
  onDisplay: (qr: QrCode) => void;
  onHide: (qr: QrCode) => void;
  onDelete: (qr: QrCode) => void;
  onConfirm: (qr: QrCode) => void;
  /** Withdraws or declines the request to display. */
  onEndRequest: (qr: QrCode) => void;
}

export function QrButtons({ qr, ...handlers }: QrHandlers & { qr: QrCode }) {
  const { onDisplay, onHide, onDelete, onConfirm, onEndRequest } = handlers;
  const isBusy = useIsBusy(qrTasks, qr._id);
  const noteId = useId();
  const note = noteOf(qr);
  const shared = (label: string) =>
    ({ size: 'row', 'aria-busy': isBusy, 'aria-label': `${label}, ${qr.name}` }) as const;

  // The button is about to be disabled or removed, which would move the focus to the top of the page.
  const keepFocus = ({ currentTarget }: MouseEvent) =>
    currentTarget.closest<HTMLElement>('[role="row"]')?.focus({ preventScroll: true });
  const isOwnRequest = qr.displayBy === 'wait';
  const endLabel = isOwnRequest ? 'Withdraw' : 'Decline';
  const isBlocked = qr.displayBy === null || isOwnRequest;

  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <Button
          {...shared('Display')}
          needs="qr.display"
          disabled={isBusy || qr.status === 'display' || isBlocked}
          aria-describedby={isBlocked ? noteId : undefined}
          // Says that this approves the request, and what to compare first.
          {...(qr.displayBy === 'approve' && {
            title: qr.displayNote,
            'aria-description': qr.displayNote,
          })}
          onClick={() => onDisplay(qr)}
        >
          Display
        </Button>
        <Button
          {...shared('Hide')}
          needs="qr.display"
          disabled={isBusy || qr.status === 'hide'}
          onClick={(event) => {
            keepFocus(event);
            onHide(qr);
          }}
        >
          Hide
        </Button>
        <Button
          {...shared('Delete')}
          needs="qr.delete"
          look="danger"
          disabled={isBusy}
          onClick={() => onDelete(qr)}
        >
          Delete
        </Button>
        {qr.displayRequest && (
          <Button
            {...shared(endLabel)}
            needs="qr.display"
            disabled={isBusy}
            onClick={(event) => {
              keepFocus(event);
              onEndRequest(qr);
            }}
          >
            {endLabel}
          </Button>
        )}
        {qr.confirmBy && (
          <Button
            {...shared('Confirm…')}
            needs="qr.display"
            disabled={isBusy}
            onClick={() => onConfirm(qr)}
          >
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

/** Why a code is not on display, and who confirmed it. */
export function noteOf(qr: QrCode): string {
  const { confirmNote, confirmed, displayNote, displayRequest: asked } = qr;
  if (confirmNote) return confirmNote;
  const who = qr.displayBy === 'wait' ? 'You' : asked?.by;
  const isShort = asked && qr.displayBy !== 'approve';
  const request = isShort
    ? `${who} asked to display this on ${formatMoment(asked.at)}. Another admin has to approve it.`
    : displayNote;
  if (!confirmed) return request;
  const { by, at, reason } = confirmed;
  return `${request} Confirmed by ${by}, ${formatDay(at)}: ${reason}`.trim();
}
