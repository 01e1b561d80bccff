import type { Claim } from '../../../entities/claim/claim';
import type { CardLayout, Column } from '../../../ui/table/columns/columns';
import {
  amountColumn,
  dateColumn,
  mobileColumn,
  nameColumn,
} from '../../../ui/table/columns/commonColumns';
import { formatDay } from '../../../ui/text/dates';
import type { RequestAction } from '../moves/actions';
import { ClaimButtons } from '../moves/ClaimButtons';
import { ClaimBank, ClaimName } from './ClaimCells';

/** A column that is hidden unless the admin chooses it. */
const optionalColumn = (
  key: string,
  header: string,
  width: string,
  text: (claim: Claim) => string | null | undefined,
): Column<Claim> => ({
  key,
  header,
  width,
  look: 'figures',
  text: (claim) => text(claim) ?? '',
});

const dayOf = (at: string | null | undefined) => at && formatDay(at);

export const claimColumns = (onAsk: RequestAction): Column<Claim>[] => [
  { ...dateColumn('88px'), from: 880 },
  {
    ...optionalColumn('number', 'Claim No.', '92px', ({ number }) => number),
    isAlwaysCopied: true,
  },
  {
    ...nameColumn('minmax(100px, 1fr)', ({ user }: Claim) => user),
    cell: (claim) => <ClaimName claim={claim} />,
  },
  { ...mobileColumn('100px', ({ user }) => user.mobile), from: 1140 },
  optionalColumn('since', 'Client since', '96px', ({ clientSince }) => dayOf(clientSince)),
  {
    ...amountColumn(
      { key: 'invest', header: 'Invest', width: 'minmax(108px, 112px)' },
      ({ purchase }: Claim) => purchase.invest,
    ),
    look: 'quiet',
    from: 1260,
    hasCardLabel: true,
  },
  optionalColumn('qr', 'QR', 'minmax(104px, 0.6fr)', ({ qrName }) => qrName),
  amountColumn(
    { key: 'amount', header: 'Amount', width: 'minmax(124px, 140px)' },
    ({ amount }) => amount,
    true,
  ),
  {
    key: 'account',
    header: 'Account No',
    // Whole with 18 digits; the narrowest tablet breaks it into two lines.
    width: 'minmax(156px, 168px)',
    look: 'figures',
    text: (claim) => claim.accountNo,
    sort: 'accountNo',
    sortNeeds: 'numbers.read',
    panel: { copy: true },
  },
  {
    key: 'ifsc',
    header: 'IFSC',
    from: 1020,
    width: '118px',
    look: 'figures',
    cell: (claim) => <ClaimBank claim={claim} />,
    text: (claim) => claim.ifsc,
    sort: 'ifsc',
    panel: { copy: true },
  },
  {
    key: 'address',
    header: 'Address',
    from: 1366,
    width: 'minmax(78px, 1fr)',
    text: (claim) => claim.address,
    sort: 'address',
    sortNeeds: 'numbers.read',
  },
  optionalColumn('reference', 'Reference', '164px', ({ payout }) => payout?.reference),
  optionalColumn('paidBy', 'Paid by', 'minmax(88px, 0.5fr)', ({ payout }) => payout?.by),
  optionalColumn('paidOn', 'Paid on', '96px', ({ payout }) => dayOf(payout?.at)),
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

/** Low, so that at least four claims fit on a phone, but with buttons that a finger hits. */
export const claimCard: CardLayout = {
  height: 112,
  // The account spans a column that only amounts need, so that a large amount takes nothing from it.
  columns: 'fit-content(96px) minmax(0, 1fr) auto fit-content(108px)',
  rows: '18px 16px 16px 50px',
  areas:
    '"name name amount amount" "mobile account account ifsc" "date address invest invest" "action action action action"',
  atEnd: ['amount', 'ifsc', 'invest'],
};
