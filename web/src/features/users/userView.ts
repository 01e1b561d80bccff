import type { ViewSchema } from '../../ui/table/filters/view';

export const userView: ViewSchema = {
  filters: [
    { name: 'from', kind: 'day', label: 'Registered from', param: 'from' },
    {
      name: 'to',
      kind: 'day',
      label: 'Registered to',
      param: 'to',
      endOf: 'from',
    },
  ],
  sorts: ['createdAt', 'username', 'mobile'],
  defaultSort: '-createdAt',
  columns: ['number', 'date', 'name', 'mobile'],
};
