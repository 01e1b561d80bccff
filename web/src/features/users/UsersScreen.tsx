import { useCountedList } from '../../api/pagedList';
import { userList } from '../../entities/user/user';
import { Page } from '../../ui/page/Page';
import { useView } from '../../ui/table/filters/useView';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import { userCards, userColumns } from './userColumns';
import { userView } from './userView';

export default function UsersScreen({ title }: { title: string }) {
  const control = useView(userView);
  const { list, totals, counting } = useCountedList(userList, control.query);
  const matches = { counted: totals, ...counting };
  return (
    <Page title={title} summary={<Summary noun="user" {...matches} />}>
      <DataTable
        label={title}
        noun="user"
        columns={userColumns}
        cards={userCards}
        list={list}
        control={control}
        toolbar={{ screen: 'users', searchHint: 'Search name or mobile', exports: 'users' }}
        matches={matches}
        linkOf={({ _id }) => ({ href: `/client/${_id}`, label: 'Open client' })}
        empty={<p>Nobody has registered yet. New users appear here once the service sends them.</p>}
      />
    </Page>
  );
}
