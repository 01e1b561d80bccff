import { useState } from 'react';
import { useList } from '../../api/pagedList';
import {
  type Endpoint,
  type EndpointSecret,
  webhooksOptions,
} from '../../entities/webhook/webhook';
import { Button } from '../../ui/Button';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { Page } from '../../ui/page/Page';
import { Menu, type MenuItem } from '../../ui/popover/Menu';
import { ShortList } from '../../ui/table/ShortList';
import { DeliveryLog } from './DeliveryLog';
import { EndpointDialog } from './EndpointDialog';
import { EndpointQuestion, type Step } from './EndpointQuestion';
import { endpointColumns } from './endpointColumns';

/** Attempts are not announced, so the screen reads the endpoints again while it is open. */
const refreshMilliseconds = 5_000;

/** What the admin has opened. */
type Asked =
  | { what: 'add' }
  | { what: 'secret'; made: EndpointSecret }
  | { what: 'menu'; endpoint: Endpoint; anchor: HTMLElement }
  | { what: 'change' | 'log' | Step; endpoint: Endpoint };

/** The addresses that hear what becomes of a claim. */
export default function WebhooksScreen({ title }: { title: string }) {
  const list = useList({ ...webhooksOptions, refetchInterval: refreshMilliseconds });
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = endpointColumns({
    onLog: (endpoint) => setAsked({ what: 'log', endpoint }),
    onMore: (endpoint, anchor) => setAsked({ what: 'menu', endpoint, anchor }),
  });

  return (
    <Page title={title} scroll="document">
      <ShortList
        nouns="webhooks"
        list={list}
        columns={columns}
        intro="Webhooks tell your own programs what happens here. Each event is a signed request, retried until your receiver answers."
        beginning="Add the address of your receiver, then send it a test event to see whether it answers."
        add={
          <Button needs="webhooks.manage" onClick={() => setAsked({ what: 'add' })}>
            New webhook
          </Button>
        }
      />
      {asked && <Opened asked={asked} endpoints={list.rows ?? []} onAsk={setAsked} />}
    </Page>
  );
}

interface OpenedProps {
  asked: Asked;
  endpoints: readonly Endpoint[];
  /** Null closes it. */
  onAsk: (asked: Asked | null) => void;
}

function Opened({ asked, endpoints, onAsk }: OpenedProps) {
  const onClose = () => onAsk(null);
  const onSecret = (made: EndpointSecret) => onAsk({ what: 'secret', made });
  if (asked.what === 'add') {
    return <EndpointDialog endpoint={null} onAdded={onSecret} onClose={onClose} />;
  }
  if (asked.what === 'secret') {
    return (
      <SecretDialog
        title="The secret of this webhook"
        what="secret"
        secret={asked.made.secret}
        onClose={onClose}
      >
        <p>
          Your receiver checks signatures with it. Copy it now: it is not shown again, but you can
          make a new one.
        </p>
      </SecretDialog>
    );
  }
  const endpoint = endpoints.find(({ _id }) => _id === asked.endpoint._id) ?? asked.endpoint;
  switch (asked.what) {
    case 'menu': {
      const item = (label: string, what: 'change' | Step): MenuItem => ({
        label,
        onChoose: () => onAsk({ what, endpoint }),
      });
      const items = [
        item('Change…', 'change'),
        item('New secret…', 'rotate'),
        endpoint.isEnabled ? item('Disable…', 'disable') : item('Enable…', 'enable'),
        { ...item('Remove…', 'remove'), isApart: true },
      ];
      const { anchor } = asked;
      return <Menu label={`Webhook ${endpoint.url}`} {...{ anchor, items, onClose }} />;
    }
    case 'change':
      return <EndpointDialog endpoint={endpoint} onAdded={onSecret} onClose={onClose} />;
    case 'log':
      return <DeliveryLog endpoint={endpoint} onClose={onClose} />;
    default:
      return (
        <EndpointQuestion
          step={asked.what}
          endpoint={endpoint}
          onRotated={onSecret}
          onClose={onClose}
        />
      );
  }
}
