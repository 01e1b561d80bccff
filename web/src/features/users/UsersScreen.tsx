import type { QueryClient } from '@tanstack/react-query';
import { readFirstPage, usePagedList } from '../../api/pagedList';
import { useTotals } from '../../api/totals';
import { Page } from '../../ui/Page';
import { DataTable } from '../../ui/table/DataTable';
import { Summary } from '../../ui/table/Summary';
import { useView } from '../../ui/table/useView';
import { queryNow } from '../../ui/table/view';
import { userCards, userColumns } from './userColumns';
import { userPages, userTotals } from './usersQuery';
import { userView } from './userView';

export const readFirst = (client: QueryClient) =>
  readFirstPage(client, userPages, queryNow(userView));

export default function UsersScreen() {
  const control = useView(userView);
  const { totals, counting } = useTotals(userTotals, control.query);
  const list = usePagedList(userPages, control.query, counting.isOutdated ? undefined : totals);
  const matches = { counted: totals, ...counting };
  return (
    <Page title="Registered Users" summary={<Summary noun="user" {...matches} />}>
      <DataTable
        label="Registered Users"
        noun="user"
        columns={userColumns}
        cards={userCards}
        list={list}
        idOf={userPages.idOf}
        control={control}
        toolbar={{ screen: 'users', searchHint: 'Search name or mobile', exports: 'users' }}
        matches={matches}
        linkOf={({ _id }) => ({ href: `/client/${_id}`, label: 'Open client' })}
        empty={<p>Nobody has registered yet. New users appear here once the service sends them.</p>}
      />
    </Page>
  );
}
