import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { type Delivery, type Endpoint, webhooksOptions } from '../../entities/webhook/webhook';
import { Button } from '../../ui/Button';
import { SidePanel } from '../../ui/dialog/SidePanel';
import { LoadFailure } from '../../ui/notices/Alert';
import { Skeleton } from '../../ui/text/Skeleton';
import { DeliveryEntry } from './DeliveryEntry';
import { Failure } from './Failure';
import { ResendDialog } from './ResendDialog';
import styles from './Webhooks.module.css';
import {
  type DeliveryPage,
  deliveriesKey,
  readDeliveries,
  resendDelivery,
  sendTest,
} from './webhookActions';
import { deliveryStates } from './webhookTexts';

/** Attempts are not announced, so the log is read again: soon while something is about to be sent. */
const soonMilliseconds = 2_000;
const laterMilliseconds = 15_000;

const isDueSoon = ({ state, dueAt }: Delivery) =>
  state === 'waiting' && dueAt !== null && Date.parse(dueAt) < Date.now() + 10_000;

interface DeliveryLogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** What was sent to an endpoint, newest first, and what it answered. */
export function DeliveryLog({ endpoint, onClose }: DeliveryLogProps) {
  const { _id, url, isEnabled } = endpoint;
  const client = useQueryClient();
  const [state, setState] = useState('');
  const [isResending, setIsResending] = useState(false);
  const log = useInfiniteQuery({
    queryKey: [...deliveriesKey(_id), state],
    queryFn: ({ pageParam, signal }) =>
      readDeliveries(
        { endpoint: _id, ...(state && { state }), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: DeliveryPage) => next,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ rows }) => rows.some(isDueSoon)) ? soonMilliseconds : laterMilliseconds,
  });
  const readAgain = () => void client.invalidateQueries({ queryKey: webhooksOptions.queryKey });
  const testing = useMutation({ mutationFn: () => sendTest(_id), onSettled: readAgain });
  const resending = useMutation({ mutationFn: resendDelivery, onSettled: readAgain });
  const failure = testing.error ?? resending.error;
  const rows = log.data?.pages.flatMap((page) => page.rows);

  return (
    <SidePanel title="Deliveries" onClose={onClose}>
      <p className="small quiet wrap">{url}</p>
      <div className={styles.panelButtons}>
        <Button
          needs="webhooks.manage"
          disabled={!isEnabled}
          aria-busy={testing.isPending}
          onClick={() => !testing.isPending && testing.mutate()}
        >
          Send test event
        </Button>
        <Button needs="webhooks.manage" disabled={!isEnabled} onClick={() => setIsResending(true)}>
          Resend since…
        </Button>
        <select
          aria-label="State"
          className={styles.filter}
          value={state}
          onChange={(event) => setState(event.target.value)}
        >
          <option value="">All</option>
          {Object.entries(deliveryStates).map(([value, { word }]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </div>
      {!isEnabled && <p className="small quiet">It is disabled: enable it to send anything.</p>}
      {failure && <Failure>{sentenceOf(failure)}</Failure>}
      {log.error && (
        <LoadFailure
          lines={['The deliveries could not be loaded.', sentenceOf(log.error)]}
          isRetrying={log.isFetching}
          onRetry={() => void log.refetch()}
        />
      )}
      {!rows && !log.error && <LogSkeleton />}
      {rows?.length === 0 && (
        <p className={styles.nothing}>
          {state
            ? 'No deliveries with this status.'
            : 'Nothing has been sent yet. Send a test event to see whether your receiver answers.'}
        </p>
      )}
      <ol className={styles.log}>
        {rows?.map((delivery) => (
          <DeliveryEntry
            key={delivery._id}
            delivery={delivery}
            isBusy={resending.isPending}
            onResend={isEnabled ? () => resending.mutate(delivery._id) : undefined}
          />
        ))}
      </ol>
      {log.hasNextPage && (
        <Button aria-busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Load more
        </Button>
      )}
      {isResending && (
        <ResendDialog
          endpoint={endpoint}
          onDone={readAgain}
          onClose={() => setIsResending(false)}
        />
      )}
    </SidePanel>
  );
}

function LogSkeleton() {
  return (
    <div role="status" aria-label="Loading the deliveries…" className={styles.bars}>
      {['70%', '50%', '60%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
