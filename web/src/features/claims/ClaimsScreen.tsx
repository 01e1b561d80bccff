import { type MouseEvent, useCallback, useMemo, useRef } from 'react';
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
import { Tabs } from '../../ui/table/frame/Toolbar';
import type { TableHandle } from '../../ui/table/rows/currentRow';
import { type RequestAction, useClaimKeys } from './moves/actions';
import { ClaimActions } from './moves/ClaimActions';
import { queueOf, today, waitingText, withQueue } from './queues/claimQueues';
import { QueueViews } from './queues/QueueViews';
import styles from './table/ClaimCells.module.css';
import { claimCards, claimColumns } from './table/claimColumns';
import { claimView, statusTabs } from './table/claimView';

export default function ClaimsScreen({ title }: { title: string }) {
  const control = useView(claimView);
  const { view, query, change } = control;
  const { list, totals, counting } = useCountedList(claimList, query);
  const notices = useNotices(claimTasks);
  const table = useRef<TableHandle<Claim>>(null);
  const actions = useRef<RequestAction>(null);
  const ask: RequestAction = useCallback((request) => actions.current?.(request), []);
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

  const hasAnswer = list.count !== undefined || list.failure !== undefined;
  const isDue = useFirstReadsDue() && hasAnswer;
  const waiting = isFiltered(view) ? '' : waitingText(totals);
  const matches = { counted: totals, sum: totals?.amount, ...counting };
  return (
    <Page title={title} summary={<Summary noun="claim" {...matches} waiting={waiting} />}>
      <Notices notices={notices} onDismiss={claimTasks.dismiss} />
      <QueueViews control={control} isDue={isDue} />
      {/* biome-ignore lint/a11y: for pointers only; Enter on the row does the same by keyboard */}
      <div className={styles.table} onClick={openClicked}>
        <DataTable
          label={title}
          noun="claim"
          columns={columns}
          cards={claimCards}
          list={list}
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
          amountOf={({ amount }) => amount}
          seenOf={({ _id, version }) => ({ _id, version })}
          onOpen={open}
          handle={table}
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

/** The index of the clicked row, or -1 for a click on a button, link or checkbox. Selecting text is not a click. */
function clickedRow({ target }: MouseEvent): number {
  if (!(target instanceof Element) || target.closest('button, input, label, a')) return -1;
  if (window.getSelection()?.isCollapsed === false) return -1;
  const row = target.closest('[data-row-id]');
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1;
}
