import { useQuery } from '@tanstack/react-query';
import { useCountedList } from '../../api/pagedList';
import { clientOptions } from '../../entities/client/client';
import { type User, userAddress, userList } from '../../entities/user/user';
import { Page } from '../../ui/page/Page';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { dateColumn, mobileColumn, nameColumn } from '../../ui/table/columns/commonColumns';
import { useView } from '../../ui/table/filters/useView';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import { ExternalId } from '../../ui/text/ExternalId';
import { formatCount } from '../../ui/text/rupees';
import { userView } from './userView';

export default function UsersScreen({ title }: { title: string }) {
  const control = useView(userView);
  const { list, totals, counting } = useCountedList(userList, control.rowsQuery);
  const matches = { counted: totals, ...counting };
  return (
    <Page title={title} summary={<Summary noun="user" {...matches} />}>
      <DataTable
        label={title}
        noun="user"
        columns={userColumns}
        card={userCard}
        list={list}
        control={control}
        toolbar={{
          screen: 'users',
          searchHint: 'Search name, mobile or external ID',
          exports: 'users',
        }}
        matches={matches}
        address={userAddress}
        panel={(user) => <UserExternalId user={user} />}
        empty={<p>Nobody has registered yet. New users appear here once the service sends them.</p>}
      />
    </Page>
  );
}

/** Not in the list, because few need it; the client's page, which the panel links to, is then loaded already. */
function UserExternalId({ user }: { user: User }) {
  return <ExternalId id={useQuery(clientOptions(user._id)).data?.user.externalId} />;
}

const userColumns: Column<User>[] = [
  {
    key: 'number',
    header: 'S.No',
    width: '88px',
    look: 'quiet',
    cell: (_, index) => formatCount(index + 1),
    hasCardLabel: true,
  },
  dateColumn('140px', 'en-GB'),
  nameColumn('minmax(160px, 360px)', (user) => user),
  mobileColumn('minmax(120px, 1fr)', ({ mobile }) => mobile),
];

const userCard: CardLayout = {
  height: 64,
  columns: 'minmax(0, 1fr) auto',
  areas: '"name mobile" "date number"',
  atEnd: ['mobile', 'number'],
};
