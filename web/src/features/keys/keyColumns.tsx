import type { ApiKey } from '../../entities/key/key';
import { Button } from '../../ui/Button';
import type { ShortColumn } from '../../ui/table/ShortList';
import { Day } from '../../ui/text/Day';
import { formatDay, formatMoment } from '../../ui/text/dates';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './Keys.module.css';
import { toneOf } from './keyTexts';

export const keyColumns = (onRevoke: (key: ApiKey) => void): ShortColumn<ApiKey>[] => [
  {
    header: 'Name',
    cell: ({ name, prefix }) => (
      <>
        <p className="medium">{name}</p>
        <p className="tiny quiet">{`${prefix}…`}</p>
      </>
    ),
  },
  {
    header: 'Scopes',
    cell: ({ scopes, networks }) => (
      <div>
        <p>{scopes.join(', ')}</p>
        {networks.length > 0 && (
          <p className="tiny quiet figures">{`Only from ${networks.join(', ')}`}</p>
        )}
      </div>
    ),
  },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <span className="figures">{formatMoment(lastUsedAt)}</span> : 'Never',
  },
  {
    header: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <Day at={expiresAt} /> : 'Never'),
  },
  {
    header: 'State',
    cell: ({ state, revokedAt, revokedBy }) => (
      <div>
        <StatusLabel tone={toneOf[state]}>{state}</StatusLabel>
        {revokedAt && (
          <p className={styles.revoked}>{`by ${revokedBy}, ${formatDay(revokedAt)}`}</p>
        )}
      </div>
    ),
  },
  {
    header: 'Actions',
    isAction: true,
    cell: (key) =>
      key.state !== 'revoked' && (
        <Button
          needs="keys.manage"
          look="danger"
          size="row"
          aria-label={`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke…
        </Button>
      ),
  },
];
