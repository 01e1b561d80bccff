import type { Complaint } from '../../entities/complaint/complaint';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { dateColumn } from '../../ui/table/columns/commonColumns';
import { AnswerButton } from './AnswerButton';

export const complaintColumns: Column<Complaint>[] = [
  dateColumn('104px'),
  {
    key: 'subject',
    header: 'Subject',
    width: 'minmax(160px, 1fr)',
    look: 'strong',
    text: ({ subject }) => subject,
    sort: 'subject',
    opens: true,
  },
  { key: 'channel', header: 'Channel', width: '88px', text: ({ channel }) => channel },
  {
    key: 'action',
    header: 'Action',
    width: '104px',
    cell: (complaint) => <AnswerButton complaint={complaint} />,
  },
];

export const complaintCard: CardLayout = {
  height: 64,
  columns: 'minmax(0, 1fr) auto',
  areas: '"subject action" "date channel"',
  atEnd: ['action', 'channel'],
};
