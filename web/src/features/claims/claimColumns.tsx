import { Day } from '../../ui/Day';
import { Money } from '../../ui/Money';
import type { CardLayout, Column } from '../../ui/table/columns';
import { ClaimActions, type ClaimHandlers } from './ClaimActions';
import type { Claim } from './claimsQuery';

export const claimColumns = (handlers: ClaimHandlers): Column<Claim>[] => [
  {
    key: 'date',
    header: 'Date',
    width: 'minmax(88px, 96px)',
    look: 'figures',
    cell: (claim) => <Day at={claim.createdAt} />,
    card: { area: 'date' },
  },
  {
    key: 'name',
    header: 'User Name',
    width: 'minmax(116px, 1fr)',
    look: 'strong',
    cell: (claim) => claim.user.username,
    card: { area: 'name' },
  },
  {
    key: 'mobile',
    header: 'Mobile',
    width: 'minmax(96px, 100px)',
    look: 'figures',
    cell: (claim) => claim.user.mobile,
    card: { area: 'mobile' },
  },
  {
    key: 'invest',
    header: 'Invest',
    width: 'minmax(108px, 112px)',
    align: 'end',
    look: 'quiet',
    cell: (claim) => <Money amount={claim.purchase.invest} />,
    card: { area: 'invest', label: true },
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 'minmax(124px, 126px)',
    align: 'end',
    cell: (claim) => <Money amount={claim.amount} loud />,
    card: { area: 'amount' },
  },
  {
    key: 'account',
    header: 'Account No',
    width: 'minmax(164px, 166px)',
    look: 'figures',
    cell: (claim) => claim.accountNo,
    card: { area: 'account', label: true },
  },
  {
    key: 'ifsc',
    header: 'IFSC',
    width: 'minmax(106px, 110px)',
    look: 'figures',
    cell: (claim) => claim.ifsc,
    card: { area: 'ifsc' },
  },
  {
    key: 'address',
    header: 'Address',
    width: 'minmax(86px, 1.4fr)',
    cell: (claim) => claim.address,
    card: { area: 'address' },
  },
  {
    key: 'action',
    header: 'Action',
    width: '272px',
    cell: (claim) => <ClaimActions claim={claim} {...handlers} />,
    card: { area: 'action' },
  },
];

export const claimCards: CardLayout[] = [
  {
    upTo: 959,
    height: 168,
    columns: 'minmax(0, 1fr) auto auto',
    rows: 'auto auto auto auto 52px',
    areas:
      '"name amount amount" "mobile invest invest" "account account ifsc" "address address date" "action action action"',
    atEnd: ['amount', 'invest', 'ifsc', 'date'],
  },
  {
    upTo: 1239,
    height: 64,
    columns: 'minmax(86px, 1.4fr) 224px minmax(80px, 1fr) 156px 268px',
    areas: '"name account address amount action" "mobile ifsc date invest action"',
    atEnd: ['amount', 'invest'],
  },
];
