import type { ViewSchema } from '../../ui/table/filters/view';

export const purchaseView: ViewSchema = {
  filters: [
    {
      name: 'findings',
      kind: 'flag',
      label: 'Needs review',
      param: 'review',
      values: ['only'],
    },
    { name: 'type', kind: 'choice', label: 'Claim Type', param: 'claimType' },
    { name: 'qr', kind: 'choice', label: 'QR Name', param: 'qrName' },
    { name: 'from', kind: 'day', label: 'Purchased from', param: 'from' },
    { name: 'to', kind: 'day', label: 'Purchased to', param: 'to', endOf: 'from' },
    { name: 'min', kind: 'amount', label: 'Invest from ₹', param: 'minAmount' },
    { name: 'max', kind: 'amount', label: 'Invest to ₹', param: 'maxAmount', endOf: 'min' },
  ],
  sorts: [
    'createdAt',
    'username',
    'mobile',
    'invest',
    'dailyIncome',
    'upiId',
    'claimType',
    'qrName',
  ],
  defaultSort: '-createdAt',
  columns: [
    'date',
    'number',
    'name',
    'mobile',
    'invest',
    'dailyIncome',
    'transaction',
    'claimType',
    'qrName',
  ],
  optional: ['number'],
};
