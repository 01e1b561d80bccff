import { useCallback, useMemo, useRef } from 'react';
import { useFirstReadsDue } from '../../api/live';
import { useCountedList } from '../../api/pagedList';
import { useNotices } from '../../api/rowTasks';
import { type Claim, type ClaimStatus, claimList, claimTasks } from '../../entities/claim/claim';
import { Notices } from '../../ui/notices/Notices';
import { Page } from '../../ui/page/Page';
import { useView } from '../../ui/table/filters/useView';
import { isFiltered } from '../../ui/table/filters/view';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import type { TableHandle } from '../../ui/table/rows/currentRow';
import { placeOf } from '../../ui/table/rows/openedRow';
import { type RequestAction, useClaimKeys } from './moves/actions';
import { ClaimActions } from './moves/ClaimActions';
import { waitingText } from './status/figures';
import { StatusBar } from './status/StatusBar';
import styles from './table/ClaimCells.module.css';
import { claimCard, claimColumns } from './table/claimColumns';
import { claimOrder } from './table/claimOrder';
import { claimView } from './table/claimView';

export default function ClaimsScreen({ title }: { title: string }) {
  const control = useView(claimView);
  const { view, query, rowsQuery } = control;
  const { list, totals, counting } = useCountedList(claimList, rowsQuery);
  const notices = useNotices(claimTasks);
  const table = useRef<TableHandle<Claim>>(null);
  const actions = useRef<RequestAction>(null);
  const ask: RequestAction = useCallback((request) => actions.current?.(request), []);
  useClaimKeys(table, ask);
  const columns = useMemo(() => claimColumns(ask), [ask]);
  const compare = useMemo(() => claimOrder(view.sort), [view.sort]);

  const { status = '' } = view.filters;
  const open = (claim: Claim, index: number) =>
    ask({ action: 'open', place: { claim, index }, by: 'pointer' });

  const showClaim = (id: string) => {
    const index = placeOf(list, ({ _id }) => _id === id);
    if (index >= 0) table.current?.focusRow(index);
  };

  const hasAnswer = list.count !== undefined || list.failure !== undefined;
  const isDue = useFirstReadsDue() && hasAnswer;
  const waiting = isFiltered(view) ? '' : waitingText(totals);
  const matches = { counted: totals, sum: totals?.amount, ...counting };
  return (
    <Page title={title} summary={<Summary noun="claim" {...matches} waiting={waiting} />}>
      <Notices notices={notices} onDismiss={claimTasks.dismiss} onShow={showClaim} />
      <StatusBar {...{ control, totals }} isOutdated={counting.isOutdated} />
      <div className={styles.table}>
        <DataTable
          label={title}
          noun="claim"
          columns={columns}
          card={claimCard}
          list={list}
          control={control}
          toolbar={{
            screen: 'claims',
            searchHint: 'Search name, mobile, account, IFSC, reference, C-number or ID',
            besides: 'status',
            exports: 'claims',
          }}
          matches={matches}
          amountOf={({ amount }) => amount}
          compare={compare}
          seenOf={({ _id, version }) => ({ _id, version })}
          onOpen={open}
          handle={table}
          emptySearch={
            query.status && Object.keys(query).length === (query.sort ? 2 : 1)
              ? `No claim is ${status}.`
              : undefined
          }
          empty={
            <p>No claim is waiting. Withdrawal requests appear here once customers make them.</p>
          }
        />
      </div>
      <ClaimActions
        list={list}
        table={table}
        queue={status ? (status as ClaimStatus) : undefined}
        isDue={isDue}
        handle={actions}
      />
    </Page>
  );
}
