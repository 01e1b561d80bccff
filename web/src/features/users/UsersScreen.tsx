import { useList } from '../../api/list';
import { Page } from '../../ui/Page';
import { countOf } from '../../ui/rupees';
import { DataTable } from '../../ui/table/DataTable';
import { userCards, userColumns } from './userColumns';
import { type User, usersQuery } from './usersQuery';

const idOf = (user: User) => user._id;

export default function UsersScreen() {
  const list = useList(usersQuery);
  return (
    <Page title="Registered Users" summary={list.rows && countOf(list.rows.length, 'user')}>
      <DataTable
        label="Registered Users"
        noun="user"
        columns={userColumns}
        cards={userCards}
        list={list}
        idOf={idOf}
        empty={<p>Nobody has registered yet. New users appear here once the service sends them.</p>}
      />
    </Page>
  );
}
