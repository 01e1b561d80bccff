import type { Delivery, Endpoint, EventType } from '../../entities/webhook/webhook';
import { formatMoment } from '../../ui/text/dates';
import { countOf } from '../../ui/text/rupees';
import type { StatusTone } from '../../ui/text/StatusLabel';

export const events: readonly { value: EventType; label: string; sentence: string }[] = [
  { value: 'claim.accepted', label: 'claim.accepted', sentence: 'A claim was accepted.' },
  { value: 'claim.paid', label: 'claim.paid', sentence: 'A claim was marked Paid.' },
  { value: 'claim.rejected', label: 'claim.rejected', sentence: 'A claim was rejected.' },
  { value: 'claim.held', label: 'claim.held', sentence: 'A claim was put on hold.' },
  { value: 'claim.released', label: 'claim.released', sentence: 'A claim is Pending again.' },
  { value: 'claim.returned', label: 'claim.returned', sentence: 'The bank returned a payment.' },
  { value: 'qr.displayed', label: 'qr.displayed', sentence: 'Customers see a QR code.' },
  { value: 'qr.hidden', label: 'qr.hidden', sentence: 'Customers no longer see it.' },
  {
    value: 'purchase.flagged',
    label: 'purchase.flagged',
    sentence: 'Something about a purchase is unusual.',
  },
  {
    value: 'purchase.confirmed',
    label: 'purchase.confirmed',
    sentence: 'An admin has checked it.',
  },
  {
    value: 'audit.checkpoint',
    label: 'audit.checkpoint',
    sentence: 'The audit log was signed.',
  },
];

/** What a new webhook gets. Checkpoints come every minute, and only whoever keeps them wants them. */
export const usualEvents = events
  .map(({ value }) => value)
  .filter((value) => value !== 'audit.checkpoint');

export const eventsText = ({ events: chosen }: Endpoint) =>
  chosen.length === events.length ? `All ${events.length} events` : chosen.join(', ');

interface Condition {
  tone: StatusTone;
  word: string;
  /** Why, and since when. */
  notes: string[];
}

export function conditionOf(endpoint: Endpoint, now = Date.now()): Condition {
  const { isEnabled, disabledAt, disabledWhy, failingSince, pausedUntil, waiting } = endpoint;
  if (!isEnabled) {
    const since = disabledAt ? `Since ${formatMoment(disabledAt)}.` : '';
    const notes = [disabledWhy ?? '', since].filter(Boolean);
    return { tone: failingSince ? 'back' : 'off', word: 'Disabled', notes };
  }
  const notes = [
    ...(failingSince ? [`No success since ${formatMoment(failingSince)}.`] : []),
    ...(waiting > 0 ? [`${waitingText(waiting)} waiting.`] : []),
  ];
  if (pausedUntil && Date.parse(pausedUntil) > now) {
    const until = `The receiver asked to wait until ${formatMoment(pausedUntil)}.`;
    return { tone: 'held', word: 'Paused', notes: [until, ...notes] };
  }
  return failingSince
    ? { tone: 'back', word: 'Failing', notes }
    : { tone: 'done', word: 'Enabled', notes };
}

/** The server counts no further than this. */
const mostCounted = 1_000;

const waitingText = (waiting: number) =>
  waiting >= mostCounted ? `${countOf(mostCounted, 'event')} or more` : countOf(waiting, 'event');

export const deliveryStates: Record<Delivery['state'], { tone: StatusTone; word: string }> = {
  waiting: { tone: 'waiting', word: 'Waiting' },
  delivered: { tone: 'done', word: 'Delivered' },
  failed: { tone: 'back', word: 'Given up' },
};

/** What the last attempt got: "Answered 503", or why there was no answer. */
export function responseText({ lastStatus, lastError, attempts, state }: Delivery): string {
  const said = lastStatus === null ? '' : `Answered ${lastStatus}.`;
  if (said || lastError) return [said, lastError ?? ''].filter(Boolean).join(' ');
  return attempts === 0 && state === 'waiting' ? 'Not sent yet.' : '';
}

/** For a day after a new secret was made. */
export const doesOldSecretSign = ({ previousSecretUntil }: Endpoint) =>
  previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now();
