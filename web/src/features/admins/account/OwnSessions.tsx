import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useList } from '../../../api/pagedList';
import { Button } from '../../../ui/Button';
import { ShortList } from '../../../ui/table/ShortList';
import { formatMoment } from '../../../ui/text/dates';
import { StatusLabel } from '../../../ui/text/StatusLabel';
import styles from './Account.module.css';
import {
  endOneSession,
  endOtherSessions,
  type OwnSession,
  sessionsOptions,
} from './accountActions';
import { browserName } from './browserName';
import { ChangeDialog } from './ChangeDialog';

/** Where the admin is signed in. */
export function OwnSessions() {
  const client = useQueryClient();
  const list = useList(sessionsOptions);
  const [ending, setEnding] = useState<OwnSession | 'others' | null>(null);
  const changed = () => {
    setEnding(null);
    void client.invalidateQueries({ queryKey: sessionsOptions.queryKey });
  };
  return (
    <section aria-label="Sessions">
      <ShortList
        nouns="sessions"
        list={list}
        intro="Where you are signed in. End any session you do not recognize, and change your password."
        beginning=""
        add={
          <Button disabled={(list.rows?.length ?? 0) < 2} onClick={() => setEnding('others')}>
            End all others…
          </Button>
        }
        columns={[
          {
            header: 'Browser',
            cell: ({ device, isCurrent }) => (
              <>
                <p className="wrap" title={device ?? undefined}>
                  {device ? browserName(device) : 'Unknown'}
                </p>
                {isCurrent && <StatusLabel tone="done">This session</StatusLabel>}
              </>
            ),
          },
          {
            header: 'Address',
            cell: ({ address }) => <span className={styles.address}>{address ?? 'Unknown'}</span>,
          },
          {
            header: 'Since',
            cell: ({ createdAt }) => (
              <span className={styles.moment}>{formatMoment(createdAt)}</span>
            ),
          },
          {
            header: 'Last used',
            cell: ({ lastSeenAt }) => (
              <span className={styles.moment}>{formatMoment(lastSeenAt)}</span>
            ),
          },
          {
            header: 'Actions',
            isAction: true,
            cell: (session) =>
              !session.isCurrent && (
                <Button
                  look="danger"
                  size="row"
                  aria-label={`End the session from ${session.address ?? 'an unknown address'}`}
                  onClick={() => setEnding(session)}
                >
                  End…
                </Button>
              ),
          },
        ]}
      />
      {ending && (
        <ChangeDialog
          title={ending === 'others' ? 'End all your other sessions?' : 'End this session?'}
          confirmLabel="End"
          isDangerous
          change={async () => {
            await (ending === 'others' ? endOtherSessions() : endOneSession(ending._id));
          }}
          onChanged={changed}
          onClose={() => setEnding(null)}
        >
          <p>You will have to log in again there.</p>
        </ChangeDialog>
      )}
    </section>
  );
}
