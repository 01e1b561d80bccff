import { claimStatuses } from '../../../entities/claim/status';
import type { ViewSchema } from '../../../ui/table/filters/view';
import type { Tab } from '../../../ui/table/frame/Toolbar';

export const claimView: ViewSchema = {
  filters: [
    { name: 'status', kind: 'choice', label: 'Status', param: 'status', values: claimStatuses },
    { name: 'from', kind: 'day', label: 'From day', param: 'from' },
    { name: 'to', kind: 'day', label: 'To day', param: 'to', isLastDay: true, endOf: 'from' },
    { name: 'movedFrom', kind: 'day', label: 'Moved from day', param: 'movedFrom' },
    {
      name: 'movedTo',
      kind: 'day',
      label: 'Moved to day',
      param: 'movedTo',
      isLastDay: true,
      endOf: 'movedFrom',
    },
    { name: 'min', kind: 'amount', label: 'Amount from ₹', param: 'minAmount' },
    { name: 'max', kind: 'amount', label: 'Amount to ₹', param: 'maxAmount', endOf: 'min' },
  ],
  sorts: [
    'createdAt',
    'username',
    'mobile',
    'invest',
    'amount',
    'accountNo',
    'ifsc',
    'address',
    'status',
  ],
  defaultSort: '-createdAt',
  columns: ['date', 'name', 'mobile', 'invest', 'amount', 'account', 'ifsc', 'address', 'action'],
};

interface Totals {
  byStatus: readonly { status: string; count: number; isExact: boolean }[];
}

/** All claims, and the finished ones. The queues are shown above the tabs, with more than a count. */
export function statusTabs(totals: Totals | undefined): Tab[] {
  const all = totals?.byStatus;
  const whole = {
    value: '',
    label: 'All',
    count: all?.reduce((sum, { count }) => sum + count, 0),
    isExact: all?.every(({ isExact }) => isExact) ?? true,
  };
  const each = (['Paid', 'Rejected', 'Returned'] as const).map((status) => {
    const found = all?.find((one) => one.status === status);
    return {
      value: status,
      label: status,
      count: found?.count,
      isExact: found?.isExact ?? true,
    };
  });
  return [whole, ...each];
}
