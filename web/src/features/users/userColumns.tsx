import type { User } from '../../entities/user/user';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { Day } from '../../ui/text/Day';
import { formatMoment } from '../../ui/text/dates';
import { formatCount } from '../../ui/text/rupees';

export const userColumns: Column<User>[] = [
  {
    key: 'number',
    header: 'S.No',
    width: '88px',
    look: 'quiet',
    cell: (_, index) => formatCount(index + 1),
    card: { area: 'number', label: true },
  },
  {
    key: 'date',
    header: 'Date',
    width: '140px',
    look: 'figures',
    cell: (user) => <Day at={user.createdAt} locale="en-GB" />,
    text: (user) => formatMoment(user.createdAt),
    sort: 'createdAt',
    card: { area: 'date' },
  },
  {
    key: 'name',
    header: 'User Name',
    width: 'minmax(160px, 360px)',
    look: 'strong',
    cell: (user) => user.username,
    text: (user) => user.username,
    sort: 'username',
    opens: true,
    card: { area: 'name' },
  },
  {
    key: 'mobile',
    header: 'Mobile',
    width: 'minmax(120px, 1fr)',
    look: 'figures',
    cell: (user) => user.mobile,
    text: (user) => user.mobile,
    sort: 'mobile',
    panel: { copy: true },
    card: { area: 'mobile' },
  },
];

export const userCards: CardLayout[] = [
  {
    upTo: 599,
    height: 64,
    columns: 'minmax(0, 1fr) auto',
    areas: '"name mobile" "date number"',
    atEnd: ['mobile', 'number'],
  },
];
