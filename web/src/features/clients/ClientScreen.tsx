import { RefusedError } from '../../api/errors';
import { useReading } from '../../api/pagedList';
import { clientOptions } from '../../entities/client/client';
import { LoadTrouble } from '../../ui/notices/Alert';
import { WarningNote } from '../../ui/notices/WarningNote';
import { Link, useLocation } from '../../ui/page/address';
import { Page } from '../../ui/page/Page';
import { statementPath, usersPath } from '../../ui/page/paths';
import { formatDay } from '../../ui/text/dates';
import { ExternalId } from '../../ui/text/ExternalId';
import { isMasked, MaskedNumber } from '../../ui/text/MaskedNumber';
import { shownName } from '../../ui/text/names';
import { Skeleton } from '../../ui/text/Skeleton';
import { ClientNotes } from './ClientNotes';
import styles from './ClientScreen.module.css';
import { ClientAccounts, ClientClaims, ClientPurchases, ClientTotals } from './ClientSections';
import { revealClient } from './clientActions';

export default function ClientScreen({ title }: { title: string }) {
  const id = useClientId();
  const reading = useReading(clientOptions(id));
  const { data: client, error } = reading;
  if (error instanceof RefusedError && error.status === 404) return <NoClient title={title} />;

  const user = client?.user;
  const summary = user && (
    <span className={styles.identity}>
      <MaskedNumber
        name="mobile number"
        number={user.mobile}
        onReveal={async () => (await revealClient(user._id)).mobile}
      />
      <WarningNote>{client.mobileNote}</WarningNote>
      <span>{`Registered ${formatDay(user.createdAt)}`}</span>
      <ExternalId id={user.externalId} />
      <Link href={`${statementPath}/${user._id}`} className={styles.statement}>
        Statement
      </Link>
    </span>
  );
  return (
    <Page title={user ? shownName(user) : title} summary={summary} scroll="document">
      <LoadTrouble what="This client" isLoaded={client !== undefined} reading={reading} />
      {client ? (
        <>
          <ClientTotals totals={client.totals} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <ClientClaims
                claims={client.claims}
                mobile={isMasked(client.user.mobile) ? client.user.username : client.user.mobile}
              />
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

function useClientId(): string {
  const [location] = useLocation();
  return decodeURIComponent(location.replace(/\/$/, '').split('/').at(-1) ?? '');
}

function NoClient({ title }: { title: string }) {
  return (
    <Page title={title} scroll="document">
      <div className={styles.nobody}>
        <p>This client does not exist. The link may be old or incomplete.</p>
        <Link href={usersPath}>Search the registered users</Link>
      </div>
    </Page>
  );
}

const bars = ['55%', '90%', '80%', '85%'];

/** About as high as the content that is loading. */
function ClientSkeleton() {
  return (
    <div role="status" aria-label="Loading the client…">
      <div className={styles.totals} aria-hidden="true">
        {['1', '2', '3', '4', '5'].map((key) => (
          <div key={key} className={styles.total}>
            <Bars widths={['70%', '90%']} />
          </div>
        ))}
      </div>
      <div className={styles.columns} aria-hidden="true">
        {['left', 'right'].map((column) => (
          <div key={column} className={styles.column}>
            {['upper', 'lower'].map((section) => (
              <div key={section} className={styles.section}>
                <Bars widths={bars} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Bars({ widths }: { widths: readonly string[] }) {
  return (
    <div className={styles.bars}>
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
