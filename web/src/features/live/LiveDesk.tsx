import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import styles from './LiveDesk.module.css';
import { createTeller, markRows } from './rowNews';
import { startLive } from './startLive';

const sentenceMilliseconds = 8_000;

interface LiveDeskProps {
  /** Whether this tab is moving the claim itself. */
  isBusy: (claimId: string) => boolean;
}

/** The tab's one connection, and the little that it says by itself. */
export default function LiveDesk({ isBusy }: LiveDeskProps) {
  const client = useQueryClient();
  const [isLost, setIsLost] = useState(false);
  const [sentences, setSentences] = useState<readonly { text: string; number: number }[]>([]);
  const [news, setNews] = useState('');
  const toast = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    let number = 0;
    const teller = createTeller(setNews);
    const stop = startLive(client, {
      isBusy,
      onLost: setIsLost,
      onSentence: (text) => {
        const sentence = { text, number: number++ };
        setSentences((all) => [...all.slice(-2), sentence]);
        const forget = () => setSentences((all) => all.filter((one) => one !== sentence));
        timers.add(setTimeout(forget, sentenceMilliseconds));
      },
      onRows: (rows) => {
        markRows(rows);
        teller.tell(rows);
      },
    });
    return () => {
      stop();
      teller.stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client, isBusy]);

  // Above an opened panel too, which has all else beneath it.
  useEffect(() => {
    const element = toast.current;
    if (sentences.length === 0) return;
    element?.showPopover?.();
    return () => element?.hidePopover?.();
  }, [sentences]);

  return (
    <div className={styles.place}>
      <p aria-live="polite" className={styles.lost}>
        {isLost && 'Not live: reconnecting…'}
      </p>
      <p aria-live="polite" className="visually-hidden">
        {news}
      </p>
      <div ref={toast} popover="manual" aria-live="polite" className={styles.toasts}>
        {sentences.map(({ text, number }) => (
          <p key={number} className={styles.toast}>
            {text}
          </p>
        ))}
      </div>
    </div>
  );
}
