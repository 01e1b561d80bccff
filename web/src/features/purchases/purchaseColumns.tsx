import type { Purchase } from '../../entities/purchase/purchase';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { Day } from '../../ui/text/Day';
import { formatMoment } from '../../ui/text/dates';
import { Money } from '../../ui/text/Money';
import { formatRupees } from '../../ui/text/rupees';
import { MarkedReference } from './MarkedReference';

export const purchaseColumns: Column<Purchase>[] = [
  {
    key: 'date',
    header: 'Date',
    width: '104px',
    look: 'figures',
    cell: (purchase) => <Day at={purchase.createdAt} />,
    text: (purchase) => formatMoment(purchase.createdAt),
    sort: 'createdAt',
    card: { area: 'date' },
  },
  {
    key: 'name',
    header: 'User Name',
    width: 'minmax(140px, 1.4fr)',
    look: 'strong',
    cell: (purchase) => purchase.user.username,
    text: (purchase) => purchase.user.username,
    sort: 'username',
    opens: true,
    card: { area: 'name' },
  },
  {
    key: 'mobile',
    header: 'Mobile',
    width: '124px',
    look: 'figures',
    cell: (purchase) => purchase.user.mobile,
    text: (purchase) => purchase.user.mobile,
    sort: 'mobile',
    panel: { copy: true },
    card: { area: 'mobile' },
  },
  {
    key: 'invest',
    header: 'Invest',
    width: '140px',
    align: 'end',
    cell: (purchase) => <Money amount={purchase.invest} loud />,
    text: (purchase) => formatRupees(purchase.invest),
    sort: 'invest',
    panel: { copy: true },
    card: { area: 'invest' },
  },
  {
    key: 'dailyIncome',
    header: 'Daily Income',
    width: '132px',
    align: 'end',
    cell: (purchase) => <Money amount={purchase.dailyIncome} />,
    text: (purchase) => formatRupees(purchase.dailyIncome),
    sort: 'dailyIncome',
    card: { area: 'income', label: true },
  },
  {
    key: 'transaction',
    header: 'Transaction ID',
    width: 'minmax(148px, 1.2fr)',
    look: 'figures',
    cell: ({ upiId, findings }) =>
      findings.length > 0 ? <MarkedReference {...{ upiId, findings }} /> : upiId,
    text: (purchase) => purchase.upiId,
    sort: 'upiId',
    panel: {
      copy: true,
      notes: ({ findings }) => findings.map(({ sentence }) => sentence),
    },
    card: { area: 'transaction', label: true },
  },
  {
    key: 'claimType',
    header: 'Claim Type',
    width: 'minmax(88px, 0.6fr)',
    cell: (purchase) => purchase.claimType,
    text: (purchase) => purchase.claimType,
    sort: 'claimType',
    card: { area: 'type', label: true },
  },
  {
    key: 'qrName',
    header: 'QR Name',
    width: 'minmax(104px, 0.8fr)',
    cell: (purchase) => purchase.qrName,
    text: (purchase) => purchase.qrName,
    sort: 'qrName',
    card: { area: 'qr', label: true },
  },
];

export const purchaseCards: CardLayout[] = [
  {
    upTo: 767,
    height: 112,
    // A long claim type ends in an ellipsis, so that it does not take space from the name above it.
    columns: 'minmax(0, 1fr) auto fit-content(44%)',
    areas:
      '"name invest invest" "mobile income income" "transaction transaction type" "qr qr date"',
    atEnd: ['invest', 'income', 'type', 'date'],
  },
  {
    upTo: 1080,
    height: 64,
    // Wide enough for an ID with its mark and for any claim type: both are useless when truncated.
    columns: 'minmax(0, 1fr) minmax(228px, 1.1fr) minmax(128px, 0.6fr) 168px',
    areas: '"name transaction type invest" "mobile qr date income"',
    atEnd: ['invest', 'income'],
  },
];
