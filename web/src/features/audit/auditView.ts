import type { ViewSchema } from '../../ui/table/filters/view';

export const auditView: ViewSchema = {
  filters: [
    { name: 'who', kind: 'choice', label: 'Who', param: 'actor' },
    { name: 'of', kind: 'choice', label: 'Records', param: 'noun' },
    { name: 'what', kind: 'choice', label: 'What', param: 'verb' },
    { name: 'from', kind: 'day', label: 'Done from', param: 'from' },
    { name: 'to', kind: 'day', label: 'Done to', param: 'to', endOf: 'from' },
  ],
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  columns: ['date', 'who', 'what', 'change', 'record', 'address'],
  searchParam: 'subject',
};
