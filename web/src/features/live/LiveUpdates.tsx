import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes';
import { useMay } from '../../ui/may';
import look from '../../ui/notices/Toast.module.css';
import { Link, useLocation, withoutRow } from '../../ui/page/address';
import { qrPath } from '../../ui/page/paths';
import styles from './LiveUpdates.module.css';
import { createAnnouncer, highlightRows } from './rowUpdates';
import { type QrUpdate, startLive } from './startLive';

const sentenceMilliseconds = 8_000;
const mostToasts = 3;

interface Toast extends QrUpdate {
  /** Distinguishes two toasts with the same sentence. */
  number: number;
}

/** The one live connection of the tab, and the messages that it shows. */
export default function LiveUpdates() {
  const client = useQueryClient();
  const [isLost, setIsLost] = useState(false);
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const popover = useRef<HTMLDivElement>(null);
  const [path] = useLocation();
  // The table itself shows the request there, and a toast would cover its buttons: it is only announced.
  const isOnQr = withoutRow(path).toLowerCase() === qrPath.toLowerCase();
  const mayApprove = useMay()('qr.display');

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    let number = 0;
    const announcer = createAnnouncer(setAnnouncement);
    const stop = startLive(client, {
      onLost: setIsLost,
      onQr: (update) => {
        // An earlier request for this code has been answered, or is made again.
        const isSaid = (one: Toast) => one.isRequest && one.id === update.id;
        const toast = { ...update, number: number++ };
        setToasts((all) => [
          ...all.filter((one) => !isSaid(one)).slice(1 - mostToasts),
          ...(update.sentence ? [toast] : []),
        ]);
        if (update.isRequest) return;
        const forget = () => setToasts((all) => all.filter((one) => one !== toast));
        timers.add(setTimeout(forget, sentenceMilliseconds));
      },
      onRows: (rows) => {
        highlightRows(rows);
        announcer.announce(rows);
      },
    });
    return () => {
      stop();
      announcer.stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client]);

  // As a popover the toasts are also above an open panel, which covers everything else.
  useEffect(() => {
    const element = popover.current;
    if (toasts.length === 0) return;
    element?.showPopover?.();
    return () => element?.hidePopover?.();
  }, [toasts]);

  return (
    <div className={styles.place}>
      <p aria-live="polite" className={styles.lost}>
        {isLost &&
          (navigator.onLine ? 'Not live: reconnecting…' : 'You are offline: reconnecting…')}
      </p>
      <p aria-live="polite" className="visually-hidden">
        {announcement}
      </p>
      <div ref={popover} popover="manual" aria-live="polite" className={styles.toasts}>
        {toasts.map((toast) => {
          const { number, sentence, isRequest } = toast;
          if (isRequest && !mayApprove) return null;
          const dismiss = () => setToasts((all) => all.filter((one) => one !== toast));
          return (
            <div
              key={number}
              className={
                isRequest && isOnQr
                  ? 'visually-hidden'
                  : classes(look.toast, styles.toast, isRequest && styles.request)
              }
            >
              <p>{sentence}</p>
              {isRequest && !isOnQr && (
                <p className={styles.answers}>
                  <Link href={qrPath} onClick={dismiss}>
                    Open QR Table
                  </Link>
                  <button type="button" onClick={dismiss}>
                    Dismiss
                  </button>
                </p>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
