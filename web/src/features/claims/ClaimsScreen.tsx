import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { readFirstPage, usePagedList } from '../../api/pagedList';
import { useNotices } from '../../api/rowWork';
import { useTotals } from '../../api/totals';
import { Notices } from '../../ui/Notices';
import { Page } from '../../ui/Page';
import { DataTable } from '../../ui/table/DataTable';
import { Summary } from '../../ui/table/Summary';
import { useView } from '../../ui/table/useView';
import { isNarrowed, queryNow } from '../../ui/table/view';
import { claimCards, claimColumns } from './claimColumns';
import { move } from './claimMoves';
import { type Claim, claimPages, claimTotals } from './claimsQuery';
import { claimView, statusTabs } from './claimView';
import { claimWork } from './claimWork';
import { PayConfirm } from './PayConfirm';
import { waitingOf } from './waiting';

export const readFirst = (client: QueryClient) =>
  readFirstPage(client, claimPages, queryNow(claimView));

export default function ClaimsScreen() {
  const control = useView(claimView);
  const { totals, counting } = useTotals(claimTotals, control.query);
  const list = usePagedList(claimPages, control.query, counting.isOutdated ? undefined : totals);
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

  const waiting = isNarrowed(control.view) ? '' : waitingOf(totals);
  const matches = { counted: totals, sum: totals?.amount, ...counting };
  return (
    <Page
      title="All Claim Requests"
      summary={<Summary noun="claim" {...matches} waiting={waiting} />}
    >
      <Notices notices={notices} onDismiss={claimWork.dismiss} />
      <DataTable
        label="All Claim Requests"
        noun="claim"
        columns={columns}
        cards={claimCards}
        list={list}
        idOf={claimPages.idOf}
        control={control}
        toolbar={{
          screen: 'claims',
          searchHint: 'Search name, mobile, account or IFSC',
          tabs: { filter: 'status', label: 'Status', tabs: statusTabs(totals) },
          exports: 'claims',
        }}
        matches={matches}
        amountOf={amountOf}
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

const amountOf = (claim: Claim) => claim.amount;
