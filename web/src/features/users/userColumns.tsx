import type { User } from '../../entities/user/user';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { dateColumn, mobileColumn, nameColumn } from '../../ui/table/columns/commonColumns';
import { formatCount } from '../../ui/text/rupees';

export const userColumns: Column<User>[] = [
  {
    key: 'number',
    header: 'S.No',
    width: '88px',
    look: 'quiet',
    cell: (_, index) => formatCount(index + 1),
    hasCardLabel: true,
  },
  dateColumn('140px', 'en-GB'),
  nameColumn('minmax(160px, 360px)', ({ username }) => username),
  mobileColumn('minmax(120px, 1fr)', ({ mobile }) => mobile),
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
