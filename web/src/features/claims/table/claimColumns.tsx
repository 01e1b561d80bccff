import type { Claim } from '../../../entities/claim/claim';
import type { CardLayout, Column } from '../../../ui/table/columns/columns';
import { Day } from '../../../ui/text/Day';
import { formatMoment } from '../../../ui/text/dates';
import { Money } from '../../../ui/text/Money';
import { formatRupees } from '../../../ui/text/rupees';
import type { RequestAction } from '../moves/actions';
import { ClaimButtons } from '../moves/ClaimButtons';
import { ClaimBank } from './ClaimBank';
import { ClaimName } from './ClaimName';

export const claimColumns = (onAsk: RequestAction): Column<Claim>[] => [
  {
    key: 'date',
    header: 'Date',
    width: 'minmax(88px, 96px)',
    look: 'figures',
    cell: (claim) => <Day at={claim.createdAt} />,
    text: (claim) => formatMoment(claim.createdAt),
    sort: 'createdAt',
    card: { area: 'date' },
  },
  {
    key: 'name',
    header: 'User Name',
    width: 'minmax(112px, 1fr)',
    look: 'strong',
    cell: (claim) => <ClaimName claim={claim} />,
    text: (claim) => claim.user.username,
    sort: 'username',
    opens: true,
    card: { area: 'name' },
  },
  {
    key: 'mobile',
    header: 'Mobile',
    width: 'minmax(96px, 100px)',
    look: 'figures',
    cell: (claim) => claim.user.mobile,
    text: (claim) => claim.user.mobile,
    sort: 'mobile',
    panel: { copy: true },
    card: { area: 'mobile' },
  },
  {
    key: 'invest',
    header: 'Invest',
    width: 'minmax(108px, 112px)',
    align: 'end',
    look: 'quiet',
    cell: (claim) => <Money amount={claim.purchase.invest} />,
    text: (claim) => formatRupees(claim.purchase.invest),
    sort: 'invest',
    card: { area: 'invest', label: true },
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 'minmax(124px, 132px)',
    align: 'end',
    cell: (claim) => <Money amount={claim.amount} loud />,
    text: (claim) => formatRupees(claim.amount),
    sort: 'amount',
    panel: { copy: true },
    card: { area: 'amount' },
  },
  {
    key: 'account',
    header: 'Account No',
    width: 'minmax(160px, 166px)',
    look: 'figures',
    cell: (claim) => claim.accountNo,
    text: (claim) => claim.accountNo,
    sort: 'accountNo',
    panel: { copy: true },
    card: { area: 'account', label: true },
  },
  {
    key: 'ifsc',
    header: 'IFSC',
    width: 'minmax(106px, 132px)',
    look: 'figures',
    cell: (claim) => <ClaimBank claim={claim} />,
    text: (claim) => claim.ifsc,
    sort: 'ifsc',
    panel: { copy: true },
    card: { area: 'ifsc' },
  },
  {
    key: 'address',
    header: 'Address',
    width: 'minmax(78px, 1.4fr)',
    cell: (claim) => claim.address,
    text: (claim) => claim.address,
    sort: 'address',
    card: { area: 'address' },
  },
  {
    key: 'action',
    header: 'Action',
    width: '288px',
    cell: (claim, index) => <ClaimButtons {...{ claim, index, onAsk }} />,
    text: (claim) => claim.status,
    sort: 'status',
    panel: { header: 'Status' },
    card: { area: 'action' },
  },
];

export const claimCards: CardLayout[] = [
  {
    upTo: 959,
    height: 168,
    columns: 'auto minmax(0, 1fr) auto auto',
    rows: 'auto auto auto auto 52px',
    // The bank's code and name take the two lines next to the account and the address.
    areas:
      '"name name amount amount" "mobile mobile invest invest" "account account account ifsc" "date address address ifsc" "action action action action"',
    atEnd: ['amount', 'invest', 'ifsc'],
  },
  {
    upTo: 1259,
    height: 64,
    columns: 'minmax(86px, 1.4fr) 224px minmax(80px, 1fr) 156px 284px',
    areas: '"name account address amount action" "mobile ifsc date invest action"',
    atEnd: ['amount', 'invest'],
  },
];
