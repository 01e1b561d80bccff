import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useList } from '../../api/list';
import { useNotices } from '../../api/rowWork';
import { Notices } from '../../ui/Notices';
import { Page } from '../../ui/Page';
import { countOf, formatRupees, sumRupees } from '../../ui/rupees';
import { DataTable } from '../../ui/table/DataTable';
import { claimCards, claimColumns } from './claimColumns';
import { move } from './claimMoves';
import { type Claim, claimsQuery } from './claimsQuery';
import { claimWork } from './claimWork';
import { PayConfirm } from './PayConfirm';

const idOf = (claim: Claim) => claim._id;

function summaryOf(claims: readonly Claim[]): string {
  const waiting = claims.filter((claim) => claim.status !== 'Paid');
  const sum = formatRupees(sumRupees(waiting, (claim) => claim.amount));
  return `${sum} waiting in ${countOf(waiting.length, 'claim')}`;
}

export default function ClaimsScreen() {
  const list = useList(claimsQuery);
  const summary = useMemo(() => list.rows && summaryOf(list.rows), [list.rows]);
  const client = useQueryClient();
  const notices = useNotices(claimWork);
  const [lastMoved, setLastMoved] = useState('');
  const [toPay, setToPay] = useState<Claim | null>(null);
  const askedFrom = useRef<HTMLElement | null>(null);

  const onAccept = useCallback(
    (claim: Claim) => void move(client, claim, 'Accepted', setLastMoved),
    [client],
  );
  const onPay = useCallback((claim: Claim) => {
    askedFrom.current = document.activeElement as HTMLElement | null;
    setToPay(claim);
  }, []);
  const columns = useMemo(() => claimColumns({ onAccept, onPay }), [onAccept, onPay]);

  const pay = (claim: Claim) => {
    setToPay(null);
    // The button that asked is about to be disabled; its row is the nearest place that stays.
    const row = askedFrom.current?.closest<HTMLElement>('[role="row"]');
    requestAnimationFrame(() => row?.focus({ preventScroll: true }));
    void move(client, claim, 'Paid', setLastMoved);
  };

  return (
    <Page title="All Claim Requests" summary={summary}>
      <Notices notices={notices} onDismiss={claimWork.dismiss} />
      <DataTable
        label="All Claim Requests"
        noun="claim"
        columns={columns}
        cards={claimCards}
        list={list}
        idOf={idOf}
        empty={
          <p>No claim is waiting. Withdrawal requests appear here once customers make them.</p>
        }
      />
      <p role="status" className="visually-hidden">
        {lastMoved}
      </p>
      {toPay && (
        <PayConfirm claim={toPay} onConfirm={() => pay(toPay)} onCancel={() => setToPay(null)} />
      )}
    </Page>
  );
}
