import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { sentenceOf } from '../../api/errors';
import { useReading } from '../../api/pagedList';
import { Button } from '../../ui/Button';
import { LoadFailure, LoadTrouble } from '../../ui/notices/Alert';
import { Page } from '../../ui/page/Page';
import { Skeleton } from '../../ui/text/Skeleton';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './Health.module.css';
import { byUrgency, type Check, dataOptions, healthOptions, stateTones } from './health';

/** What `countinghouse doctor` prints on the server, for owners. */
export default function HealthScreen({ title }: { title: string }) {
  const health = useReading(healthOptions);
  return (
    <Page title={title} scroll="document">
      <div className={styles.health}>
        <div className={styles.intro}>
          <p className="quiet">
            The state of this server, its settings and its backups, and what to do about it.
          </p>
          <Button aria-busy={health.isLoading} onClick={health.reload}>
            Check again
          </Button>
        </div>
        <LoadTrouble what="The checks" isLoaded={health.data !== undefined} reading={health} />
        {health.data ? (
          <Checks checks={health.data.checks} label="The server" />
        ) : (
          !health.error && <CheckSkeleton />
        )}
        <StoredData />
        {health.data && <p className="quiet small">Countinghouse {health.data.version}</p>}
      </div>
    </Page>
  );
}

function StoredData() {
  const id = useId();
  const data = useQuery(dataOptions);
  return (
    <section aria-labelledby={id} className={styles.health}>
      <div className={styles.intro}>
        <div>
          <h2 id={id} className="heading">
            Stored data
          </h2>
          <p className="quiet">
            Reads all claims and QR codes again, and compares them with what was recorded.
          </p>
        </div>
        <Button
          aria-busy={data.isFetching}
          onClick={data.isFetching ? undefined : () => void data.refetch()}
        >
          {data.isFetching ? 'Checking…' : 'Check the stored data'}
        </Button>
      </div>
      {data.error && !data.isFetching && (
        <LoadFailure
          lines={['The stored data was not checked.', sentenceOf(data.error)]}
          onRetry={() => void data.refetch()}
        />
      )}
      {data.isFetching ? (
        <p role="status" className="quiet">
          Checking the stored data. This can take a minute.
        </p>
      ) : (
        data.data && <Checks checks={data.data} label="The stored data" />
      )}
    </section>
  );
}

function Checks({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <ul className="card" aria-label={label}>
      {byUrgency(checks).map(({ title, state, message }) => (
        <li key={title} className={styles.check}>
          <span className={styles.state}>
            <StatusLabel tone={stateTones[state]}>{state}</StatusLabel>
          </span>
          <span className={styles.title}>{title}</span>
          {message && <span className={styles.message}>{message}</span>}
        </li>
      ))}
    </ul>
  );
}

function CheckSkeleton() {
  return (
    <div className="card" role="status" aria-label="Loading the checks…">
      {['60%', '45%', '70%', '50%', '65%'].map((width) => (
        <div key={width} className={styles.check} aria-hidden="true">
          <Skeleton width="48px" />
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}
