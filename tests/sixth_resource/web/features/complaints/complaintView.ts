import type { ViewSchema } from '../../ui/table/filters/view';

export const complaintView: ViewSchema = {
  filters: [
    {
      name: 'channel',
      kind: 'choice',
      label: 'Channel',
      param: 'channel',
      values: ['phone', 'mail'],
    },
  ],
  sorts: ['createdAt', 'subject'],
  defaultSort: '-createdAt',
  columns: ['date', 'subject', 'channel', 'action'],
};
