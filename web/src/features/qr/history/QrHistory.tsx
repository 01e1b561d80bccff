import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useReading } from '../../../api/pagedList';
import { type PastQr, type QrCode, qrHistoryOptions } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { SidePanel } from '../../../ui/dialog/SidePanel';
import { LoadTrouble } from '../../../ui/notices/Alert';
import { formatMoment } from '../../../ui/text/dates';
import { Skeleton } from '../../../ui/text/Skeleton';
import { StatusLabel } from '../../../ui/text/StatusLabel';
import styles from './QrHistory.module.css';

interface QrHistoryProps {
  /** Null for the history of all codes, including deleted ones. */
  qr: QrCode | null;
  onClose: () => void;
}

export default function QrHistory({ qr, onClose }: QrHistoryProps) {
  const id = useId();
  const { data } = useQuery(qrHistoryOptions(qr?._id ?? null, null));
  return (
    <SidePanel title={qr ? `History of ${qr.name}` : 'History of all QR codes'} onClose={onClose}>
      <section aria-labelledby={`${id}-events`}>
        <h3 id={`${id}-events`} className={styles.heading}>
          What happened
        </h3>
        <Events qrId={qr?._id ?? null} before={null} />
      </section>
      {data && data.codes.length > 0 && (
        <section aria-labelledby={`${id}-shown`}>
          <h3 id={`${id}-shown`} className={styles.heading}>
            On display
          </h3>
          <ul className="small">
            {data.codes.map((code) => (
              <Spans key={code._id} code={code} isNamed={qr === null} />
            ))}
          </ul>
        </section>
      )}
    </SidePanel>
  );
}

interface EventsProps {
  qrId: string | null;
  before: number | null;
}

/** One page of events, newest first. The next page is added below it on request. */
function Events({ qrId, before }: EventsProps) {
  const reading = useReading(qrHistoryOptions(qrId, before));
  const { data } = reading;
  const [isLong, setIsLong] = useState(false);
  if (!data) {
    const trouble = <LoadTrouble what="The history" isLoaded={false} reading={reading} />;
    return reading.failure === undefined ? (
      <>
        {trouble}
        <EventsSkeleton />
      </>
    ) : (
      trouble
    );
  }
  if (data.events.length === 0 && before === null) {
    return <p className="small quiet">Nothing has happened yet.</p>;
  }
  return (
    <>
      <ol className="small">
        {data.events.map(({ seq, at, sentence }) => (
          <li key={seq} className={styles.event}>
            <p>{sentence}</p>
            <time dateTime={at} className="tiny quiet figures">
              {formatMoment(at)}
            </time>
          </li>
        ))}
      </ol>
      {data.next !== null &&
        (isLong ? (
          <Events qrId={qrId} before={data.next} />
        ) : (
          <Button className={styles.below} onClick={() => setIsLong(true)}>
            Load more
          </Button>
        ))}
    </>
  );
}

const widths = ['80%', '60%', '70%', '60%'];

function EventsSkeleton() {
  return (
    <div role="status" aria-label="Loading the history…" className="small">
      {widths.map((width, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
        <div key={place} className={styles.event} aria-hidden="true">
          <Skeleton width={width} />
          <Skeleton width="40%" />
        </div>
      ))}
    </div>
  );
}

const firstSpans = 3;

/** The periods when paying customers saw a code, newest first. */
function Spans({ code, isNamed }: { code: PastQr; isNamed: boolean }) {
  const { name, upiId, deletedAt, shown } = code;
  const [isLong, setIsLong] = useState(false);
  const spans = isLong ? shown : shown.slice(0, firstSpans);
  return (
    <li className={styles.event}>
      {isNamed && (
        <p className={styles.names}>
          <span className="medium">{name}</span>
          <span className="quiet">{upiId}</span>
        </p>
      )}
      {deletedAt && (
        <StatusLabel tone="refused">{`deleted ${formatMoment(deletedAt)}`}</StatusLabel>
      )}
      {shown.length === 0 && <p className="tiny quiet figures">Never on display.</p>}
      {spans.map(({ from, to }) => (
        <p key={from} className="tiny quiet figures">
          {to ? `${formatMoment(from)} to ${formatMoment(to)}` : `Since ${formatMoment(from)}`}
        </p>
      ))}
      {spans.length < shown.length && (
        <Button look="link" onClick={() => setIsLong(true)}>
          {`${shown.length - spans.length} more`}
        </Button>
      )}
    </li>
  );
}
