import type { ViewSchema } from '../../ui/table/filters/view';

export const userView: ViewSchema = {
  filters: [
    { name: 'from', kind: 'day', label: 'From day', param: 'from' },
    { name: 'to', kind: 'day', label: 'To day', param: 'to', isLastDay: true, endOf: 'from' },
  ],
  sorts: ['createdAt', 'username', 'mobile'],
  defaultSort: '-createdAt',
  columns: ['number', 'date', 'name', 'mobile'],
};
