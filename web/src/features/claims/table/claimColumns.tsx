import type { Claim } from '../../../entities/claim/claim';
import type { CardLayout, Column } from '../../../ui/table/columns/columns';
import {
  amountColumn,
  dateColumn,
  mobileColumn,
  nameColumn,
} from '../../../ui/table/columns/commonColumns';
import type { RequestAction } from '../moves/actions';
import { ClaimButtons } from '../moves/ClaimButtons';
import { ClaimBank, ClaimName } from './ClaimCells';

export const claimColumns = (onAsk: RequestAction): Column<Claim>[] => [
  dateColumn('minmax(88px, 96px)'),
  {
    ...nameColumn('minmax(112px, 1fr)', ({ user }: Claim) => user.username),
    cell: (claim) => <ClaimName claim={claim} />,
  },
  mobileColumn('minmax(96px, 100px)', ({ user }) => user.mobile),
  {
    ...amountColumn(
      { key: 'invest', header: 'Invest', width: 'minmax(108px, 112px)' },
      ({ purchase }: Claim) => purchase.invest,
    ),
    look: 'quiet',
    hasCardLabel: true,
  },
  amountColumn(
    { key: 'amount', header: 'Amount', width: 'minmax(124px, 132px)' },
    ({ amount }) => amount,
    true,
  ),
  {
    key: 'account',
    header: 'Account No',
    width: 'minmax(160px, 166px)',
    look: 'figures',
    text: (claim) => claim.accountNo,
    sort: 'accountNo',
    panel: { copy: true },
    hasCardLabel: true,
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
  },
  {
    key: 'address',
    header: 'Address',
    width: 'minmax(78px, 1.4fr)',
    text: (claim) => claim.address,
    sort: 'address',
  },
  {
    key: 'action',
    header: 'Action',
    width: '288px',
    cell: (claim, index) => <ClaimButtons {...{ claim, index, onAsk }} />,
    text: (claim) => claim.status,
    sort: 'status',
    panel: { header: 'Status' },
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
