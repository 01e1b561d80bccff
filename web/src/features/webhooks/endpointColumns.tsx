import type { Endpoint } from '../../entities/webhook/webhook';
import { Button } from '../../ui/Button';
import { MoreIcon } from '../../ui/icons/icons';
import type { ShortColumn } from '../../ui/table/ShortList';
import { formatMoment } from '../../ui/text/dates';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './Webhooks.module.css';
import { conditionOf, deliveryStates, doesOldSecretSign, eventsText } from './webhookTexts';

interface Handlers {
  onLog: (endpoint: Endpoint) => void;
  onMore: (endpoint: Endpoint, anchor: HTMLElement) => void;
}

export const endpointColumns = ({ onLog, onMore }: Handlers): ShortColumn<Endpoint>[] => [
  {
    header: 'Address',
    cell: (endpoint) => (
      <>
        <p className="medium">{endpoint.url}</p>
        {endpoint.previousSecretUntil && doesOldSecretSign(endpoint) && (
          <p className="tiny quiet figures">
            {`The old secret signs too until ${formatMoment(endpoint.previousSecretUntil)}.`}
          </p>
        )}
      </>
    ),
  },
  { header: 'Events', cell: (endpoint) => <span>{eventsText(endpoint)}</span> },
  { header: 'State', cell: (endpoint) => <ConditionCell endpoint={endpoint} /> },
  {
    header: 'Last delivery',
    cell: ({ lastDelivery }) =>
      lastDelivery ? (
        <div>
          <p>{`${lastDelivery.type}, ${deliveryStates[lastDelivery.state].word.toLowerCase()}`}</p>
          <p className={styles.last}>
            {[formatMoment(lastDelivery.at), lastDelivery.status].filter(Boolean).join(' · ')}
          </p>
        </div>
      ) : (
        <span className="quiet">None yet</span>
      ),
  },
  {
    header: 'Actions',
    isAction: true,
    cell: (endpoint) => (
      <span className={styles.actions}>
        <Button
          size="row"
          aria-label={`Deliveries to ${endpoint.url}`}
          onClick={() => onLog(endpoint)}
        >
          Deliveries
        </Button>
        <Button
          needs="webhooks.manage"
          look="icon"
          size="row"
          aria-haspopup="menu"
          aria-label={`More for ${endpoint.url}`}
          onClick={({ currentTarget }) => onMore(endpoint, currentTarget)}
        >
          <MoreIcon />
        </Button>
      </span>
    ),
  },
];

function ConditionCell({ endpoint }: { endpoint: Endpoint }) {
  const { tone, word, notes } = conditionOf(endpoint);
  return (
    <div>
      <StatusLabel tone={tone}>{word}</StatusLabel>
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  );
}
