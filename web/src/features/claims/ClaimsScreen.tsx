import { useCallback, useMemo, useRef, useState } from 'react';
import { useList } from '../../api/list';
import { Page } from '../../ui/Page';
import { countOf, formatRupees, sumRupees } from '../../ui/rupees';
import { DataTable } from '../../ui/table/DataTable';
import { ClaimNotices } from './ClaimNotices';
import { claimCards, claimColumns } from './claimColumns';
import { ClaimRowActions, useClaimMoves } from './claimMoves';
import { type Claim, claimsQuery } from './claimsQuery';
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
  const { busy, notices, lastMoved, move, check, dismiss } = useClaimMoves();
  const [toPay, setToPay] = useState<Claim | null>(null);
  const askedFrom = useRef<HTMLElement | null>(null);

  const onAccept = useCallback((claim: Claim) => void move(claim, 'Accepted'), [move]);
  const onPay = useCallback((claim: Claim) => {
    askedFrom.current = document.activeElement as HTMLElement | null;
    setToPay(claim);
  }, []);
  const rowActions = useMemo(() => ({ busy, onAccept, onPay }), [busy, onAccept, onPay]);

  const pay = (claim: Claim) => {
    setToPay(null);
    // The button that asked is about to be disabled; its row is the nearest place that stays.
    const row = askedFrom.current?.closest<HTMLElement>('[role="row"]');
    requestAnimationFrame(() => row?.focus({ preventScroll: true }));
    void move(claim, 'Paid');
  };

  return (
    <Page title="All Claim Requests" summary={summary}>
      <ClaimNotices notices={notices} onCheck={check} onDismiss={dismiss} />
      <ClaimRowActions value={rowActions}>
        <DataTable
          label="All Claim Requests"
          noun="claim"
          columns={claimColumns}
          cards={claimCards}
          list={list}
          idOf={idOf}
          empty={
            <p>No claim is waiting. Withdrawal requests appear here once customers make them.</p>
          }
        />
      </ClaimRowActions>
      <p role="status" className="visually-hidden">
        {lastMoved}
      </p>
      {toPay && (
        <PayConfirm claim={toPay} onConfirm={() => pay(toPay)} onCancel={() => setToPay(null)} />
      )}
    </Page>
  );
}
