import type { QueryClient } from '@tanstack/react-query';
import { type MouseEvent, useMemo, useRef } from 'react';
import { readFirstPage, useCountedList } from '../../api/pagedList';
import { useNotices } from '../../api/rowTasks';
import { type Claim, type ClaimStatus, claimList } from '../../entities/claim/claim';
import { claimTasks } from '../../entities/claim/claimTasks';
import { Notices } from '../../ui/Notices';
import { Page } from '../../ui/Page';
import type { TableHandle } from '../../ui/table/currentRow';
import { DataTable } from '../../ui/table/DataTable';
import { Summary } from '../../ui/table/Summary';
import { Tabs } from '../../ui/table/Tabs';
import { useView } from '../../ui/table/useView';
import { isFiltered, queryNow } from '../../ui/table/view';
import styles from './ClaimsScreen.module.css';
import { claimCards, claimColumns } from './claimColumns';
import { queueOf, today, withQueue } from './claimQueues';
import { claimView, statusTabs } from './claimView';
import { QueueViews } from './QueueViews';
import { useClaimKeys, useDesk } from './useDesk';
import { waitingText } from './waiting';

export const readFirst = (client: QueryClient) =>
  readFirstPage(client, claimList, queryNow(claimView));

export default function ClaimsScreen() {
  const control = useView(claimView);
  const { view, query, change } = control;
  const { list, totals, counting } = useCountedList(claimList, query);
  const notices = useNotices(claimTasks);
  const table = useRef<TableHandle<Claim>>(null);
  const { Desk, ask, onReady } = useDesk();
  useClaimKeys(table, ask);
  const columns = useMemo(() => claimColumns(ask), [ask]);

  const { status = '' } = view.filters;
  const isQueue = queueOf(view.filters, today()) !== undefined;
  const open = (claim: Claim, index: number) =>
    ask({ action: 'open', place: { claim, index }, by: 'pointer' });
  const openClicked = (event: MouseEvent) => {
    const index = clickedRow(event);
    const claim = index < 0 ? undefined : list.rowAt(index);
    if (claim && !list.isOutdated) open(claim, index);
  };

  const waiting = isFiltered(view) ? '' : waitingText(totals);
  const matches = { counted: totals, sum: totals?.amount, ...counting };
  return (
    <Page
      title="All Claim Requests"
      summary={<Summary noun="claim" {...matches} waiting={waiting} />}
    >
      <Notices notices={notices} onDismiss={claimTasks.dismiss} />
      <QueueViews control={control} />
      {/* biome-ignore lint/a11y: for pointers only; Enter on the row does the same by keyboard */}
      <div className={styles.table} onClick={openClicked}>
        <DataTable
          label="All Claim Requests"
          noun="claim"
          columns={columns}
          cards={claimCards}
          list={list}
          idOf={({ _id }) => _id}
          control={control}
          toolbar={{
            screen: 'claims',
            searchHint: 'Search name, mobile, account or IFSC',
            tabs: {
              filter: 'status',
              shown: (
                <Tabs
                  label="Status"
                  tabs={statusTabs(totals)}
                  value={isQueue ? 'queue' : status}
                  onChoose={(value) => change(withQueue(view.filters, value))}
                />
              ),
            },
            exports: 'claims',
          }}
          matches={matches}
          amountOf={amountOf}
          seenOf={seenOf}
          onOpen={open}
          handle={table}
          empty={
            <p>No claim is waiting. Withdrawal requests appear here once customers make them.</p>
          }
        />
      </div>
      {Desk && (
        <Desk
          list={list}
          table={table}
          queue={status ? (status as ClaimStatus) : undefined}
          onReady={onReady}
        />
      )}
    </Page>
  );
}

const amountOf = (claim: Claim) => claim.amount;
const seenOf = ({ _id, version }: Claim) => ({ _id, version });

/** The index of the clicked row, or -1 for a click on a button, link or checkbox. Selecting text is not a click. */
function clickedRow({ target }: MouseEvent): number {
  if (!(target instanceof Element) || target.closest('button, input, label, a')) return -1;
  if (window.getSelection()?.isCollapsed === false) return -1;
  const row = target.closest('[data-row-id]');
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1;
}
