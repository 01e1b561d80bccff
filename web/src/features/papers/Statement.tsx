import { queryOptions } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { RefusedError, sentencesOf } from '../../api/errors';
import { useReading } from '../../api/pagedList';
import { statementKey } from '../../entities/client/client';
import { Alert, Lines, LoadTrouble } from '../../ui/notices/Alert';
import { rowInAddress, useLocation, useSearch } from '../../ui/page/address';
import { formatDate, formatDayIn, formatMomentIn } from '../../ui/text/dates';
import { nameInText, shownName } from '../../ui/text/names';
import { formatRupees } from '../../ui/text/rupees';
import { Skeleton } from '../../ui/text/Skeleton';
import { Paper, type PaperColumn, PaperTable, Particulars } from './Paper';
import { periodOf } from './statementPeriods';

type ClientStatement = Schemas['ClientStatement'];

/** Its date fields are in a file that the first view does not need. */
const StatementPeriod = lazy(() =>
  import('./StatementPeriod').catch(() => ({ default: NotLoaded })),
);
const NotLoaded = () => <p role="alert">The period cannot be changed now. Reload the page.</p>;

const statementOptions = (id: string, from: string, to: string) =>
  queryOptions({
    queryKey: statementKey(id, from, to),
    queryFn: ({ signal }) =>
      dataOf<ClientStatement>(
        api.GET('/api/clients/{user_id}/statement', {
          params: { path: { user_id: id }, query: { from, to } },
          signal,
        }),
      ),
    staleTime: 0,
  });

/** What a client bought, was paid and has in open claims, in a period that the URL names. */
export function Statement({ title }: { title: string }) {
  const [location] = useLocation();
  const id = rowInAddress(location) ?? '';
  const { from, to } = periodOf(useSearch());
  const reading = useReading(statementOptions(id, from, to));
  const { data, error } = reading;
  const tools = (
    <Suspense>
      <StatementPeriod id={id} from={from} to={to} />
    </Suspense>
  );

  if (!data) {
    const isRefused = error instanceof RefusedError && error.status < 500;
    const instead = isRefused ? (
      <Alert tone="bad">
        <Lines lines={sentencesOf(error)} />
      </Alert>
    ) : error || reading.isHeldUp ? (
      <LoadTrouble what="The statement" isLoaded={false} reading={reading} />
    ) : (
      <p role="status" aria-label="Loading the statement…">
        <Skeleton width="60%" />
      </p>
    );
    return <Paper title={title} tools={tools} instead={instead} />;
  }
  return (
    <Paper
      title={`${title} of ${nameInText(data.user)}`}
      tools={tools}
      footer={`As of ${formatMomentIn(data.timeZone, data.at)}. A paid claim counts on the day it was paid, an open one on the day it was requested. Rejected claims are not listed.`}
    >
      <Sheet statement={data} />
    </Paper>
  );
}

type Purchase = ClientStatement['purchases']['items'][number];
type Claim = ClientStatement['paid']['items'][number];

const keyOf = ({ number }: { number: string }) => number;

function Sheet({ statement }: { statement: ClientStatement }) {
  const { user, firstDay, lastDay, timeZone, purchases, paid, open } = statement;
  const day = (at: string) => formatDayIn(timeZone, at);
  // A day has no time zone: it is the start of that day in UTC.
  const period = `${formatDate(firstDay)} to ${formatDate(lastDay)}`;

  const owner = `${nameInText(user)} · ${user.mobile} · ${period}`;

  const number = { header: 'Number', cell: keyOf, isShort: true };
  const account = {
    header: 'Account',
    cell: ({ accountNo, bank }: Claim) => (bank.name ? `${accountNo}, ${bank.name}` : accountNo),
  };
  const amount = { header: 'Amount', cell: (claim: Claim) => formatRupees(claim.amount) };
  const requested = {
    header: 'Requested',
    cell: (claim: Claim) => day(claim.createdAt),
    isShort: true,
  };
  const boughtColumns: PaperColumn<Purchase>[] = [
    { header: 'Date', cell: ({ createdAt }) => day(createdAt), isShort: true },
    number,
    { header: 'Transaction ID', cell: ({ upiId }) => upiId },
    { header: 'Invest', cell: ({ invest }) => formatRupees(invest) },
  ];
  const paidColumns: PaperColumn<Claim>[] = [
    {
      header: 'Paid on',
      cell: ({ payout }) => (payout ? day(payout.at) : 'Not recorded'),
      isShort: true,
    },
    number,
    requested,
    account,
    { header: 'Bank reference', cell: ({ payout }) => payout?.reference ?? 'Not recorded' },
    amount,
  ];
  const openColumns: PaperColumn<Claim>[] = [
    requested,
    number,
    { header: 'Status', cell: ({ status }) => status, isShort: true },
    account,
    amount,
  ];
  return (
    <>
      <Particulars
        lines={[
          ['Client', shownName(user)],
          ['Mobile', user.mobile],
          ['Period', `${period} (${timeZone})`],
          ['Invested', formatRupees(purchases.amount)],
          ['Paid out', formatRupees(paid.amount)],
          ['In open claims', formatRupees(open.amount)],
        ]}
      />
      <PaperTable
        title="Purchases"
        owner={owner}
        rows={purchases.items}
        keyOf={keyOf}
        columns={boughtColumns}
        total={formatRupees(purchases.amount)}
      />
      <PaperTable
        title="Paid claims"
        owner={owner}
        rows={paid.items}
        keyOf={keyOf}
        columns={paidColumns}
        total={formatRupees(paid.amount)}
      />
      <PaperTable
        title="Open claims"
        owner={owner}
        rows={open.items}
        keyOf={keyOf}
        columns={openColumns}
        total={formatRupees(open.amount)}
      />
    </>
  );
}
