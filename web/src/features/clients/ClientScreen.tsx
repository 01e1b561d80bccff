import { useQuery } from '@tanstack/react-query';
import { RefusedError, sentenceOf } from '../../api/errors';
import { clientOptions } from '../../entities/client/client';
import { Alert } from '../../ui/Alert';
import { Link, useLocation } from '../../ui/address';
import { Button } from '../../ui/Button';
import { formatDay } from '../../ui/dates';
import { Page } from '../../ui/Page';
import { ClientAccounts } from './ClientAccounts';
import { ClientClaims } from './ClientClaims';
import { ClientNotes } from './ClientNotes';
import { ClientPurchases } from './ClientPurchases';
import styles from './ClientScreen.module.css';
import { ClientSkeleton } from './ClientSkeleton';
import { ClientTotals } from './ClientTotals';
import { WarningNote } from './WarningNote';

/** Everything about one client. */
export default function ClientScreen({ title }: { title: string }) {
  const id = useClientId();
  const { data: client, error, isFetching, refetch } = useQuery(clientOptions(id));
  if (error instanceof RefusedError && error.status === 404) return <NoClient title={title} />;

  const user = client?.user;
  const summary = user && (
    <span className={styles.identity}>
      <span>{user.mobile}</span>
      <WarningNote>{client.mobileNote}</WarningNote>
      <span>{`Registered ${formatDay(user.createdAt)}`}</span>
    </span>
  );
  return (
    <Page title={user?.username ?? title} summary={summary} scroll="document">
      {error && (
        <Alert
          tone="bad"
          action={
            // Not disabled while it loads: a disabled button would lose the focus.
            <Button aria-busy={isFetching} onClick={isFetching ? undefined : () => void refetch()}>
              {isFetching ? 'Retrying…' : 'Retry'}
            </Button>
          }
        >
          <p>
            {client
              ? 'This client could not be refreshed. What you see may be out of date.'
              : 'This client could not be loaded.'}
          </p>
          <p>{sentenceOf(error)}</p>
        </Alert>
      )}
      {client ? (
        <>
          <ClientTotals totals={client.totals} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <ClientClaims claims={client.claims} mobile={client.user.mobile} />
              <ClientPurchases purchases={client.purchases} />
            </div>
            <div className={styles.column}>
              {/* The key resets the form: a half-written note belongs to this client only. */}
              <ClientNotes key={id} clientId={id} notes={client.notes} />
              <ClientAccounts accounts={client.accounts} />
            </div>
          </div>
        </>
      ) : (
        !error && <ClientSkeleton />
      )}
    </Page>
  );
}

/** The last segment of the URL path. */
function useClientId(): string {
  const [location] = useLocation();
  return decodeURIComponent(location.replace(/\/$/, '').split('/').at(-1) ?? '');
}

function NoClient({ title }: { title: string }) {
  return (
    <Page title={title} scroll="document">
      <div className={styles.nobody}>
        <p>There is no such client. The link may be old, or a letter is missing.</p>
        <Link href="/reg">Search the registered users</Link>
      </div>
    </Page>
  );
}
