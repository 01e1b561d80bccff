import { usePagedList } from '../../api/pagedList';
import { useTotals } from '../../api/totals';
import { Page } from '../../ui/Page';
import { DataTable } from '../../ui/table/DataTable';
import { Summary } from '../../ui/table/Summary';
import { useView } from '../../ui/table/useView';
import { userCards, userColumns } from './userColumns';
import { userPages, userTotals } from './usersQuery';
import { userView } from './userView';

export default function UsersScreen({ title }: { title: string }) {
  const control = useView(userView);
  const { totals, counting } = useTotals(userTotals, control.query);
  const list = usePagedList(userPages, control.query, counting.isOutdated ? undefined : totals);
  const matches = { counted: totals, ...counting };
  return (
    <Page title={title} summary={<Summary noun="user" {...matches} />}>
      <DataTable
        label={title}
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
