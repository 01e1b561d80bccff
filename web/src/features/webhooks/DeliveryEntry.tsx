import type { Delivery } from '../../entities/webhook/webhook';
import { Button } from '../../ui/Button';
import { formatMoment } from '../../ui/text/dates';
import { countOf } from '../../ui/text/rupees';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './Webhooks.module.css';
import { deliveryStates, responseText } from './webhookTexts';

interface DeliveryEntryProps {
  delivery: Delivery;
  /** Something is being sent again: a second press sends nothing. */
  isBusy: boolean;
  /** Omitted if nothing can be sent now. */
  onResend: (() => void) | undefined;
}

export function DeliveryEntry({ delivery, isBusy, onResend }: DeliveryEntryProps) {
  const { type, createdAt, state, attempts, dueAt, subject, lastExcerpt } = delivery;
  const { tone, word } = deliveryStates[state];
  const isRetried = state === 'waiting' && attempts > 0 && dueAt;
  const [noun] = type.split('.');
  return (
    <li className={styles.entry}>
      <div className={styles.entryHead}>
        <span className="medium">{type}</span>
        <StatusLabel tone={tone}>{word}</StatusLabel>
        {onResend && (
          <Button
            needs="webhooks.manage"
            size="row"
            aria-label={`Resend ${type}, ${formatMoment(createdAt)}`}
            aria-busy={isBusy}
            onClick={() => !isBusy && onResend()}
          >
            Resend
          </Button>
        )}
      </div>
      <p className="tiny quiet figures">
        {`${formatMoment(createdAt)} · ${countOf(attempts, 'attempt')}`}
        {isRetried && ` · next ${formatMoment(dueAt)}`}
      </p>
      {noun !== 'webhook' && <p className="tiny quiet figures wrap">{`${noun} ${subject}`}</p>}
      <p className="wrap">{responseText(delivery)}</p>
      {lastExcerpt && <code className={styles.excerpt}>{lastExcerpt}</code>}
    </li>
  );
}
