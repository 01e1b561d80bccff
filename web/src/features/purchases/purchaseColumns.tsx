import type { Purchase } from '../../entities/purchase/purchase';
import { FindingsMark } from '../../ui/popover/FindingsMark';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import {
  amountColumn,
  dateColumn,
  mobileColumn,
  nameColumn,
} from '../../ui/table/columns/commonColumns';
import { Clipped } from '../../ui/table/rows/TableRow';
import styles from './purchaseColumns.module.css';

export const purchaseColumns: Column<Purchase>[] = [
  dateColumn('104px'),
  {
    key: 'number',
    header: 'Purchase No.',
    width: '108px',
    look: 'figures',
    text: ({ number }) => number,
  },
  nameColumn('minmax(120px, 1.4fr)', ({ user }) => user),
  { ...mobileColumn('124px', ({ user }) => user.mobile), from: 900 },
  amountColumn(
    { key: 'invest', header: 'Invest', width: 'minmax(124px, 140px)' },
    ({ invest }) => invest,
    true,
  ),
  {
    ...amountColumn(
      { key: 'dailyIncome', header: 'Daily Income', width: '132px' },
      ({ dailyIncome }: Purchase) => dailyIncome,
    ),
    from: 1020,
    hasCardLabel: true,
  },
  {
    key: 'transaction',
    header: 'Transaction ID',
    width: 'minmax(148px, 1.2fr)',
    look: 'figures',
    cell: ({ upiId, findings, isChecked }) =>
      findings.length === 0 ? (
        upiId
      ) : (
        // The mark stays visible when the ID is truncated.
        <span className={styles.line}>
          <Clipped header="Transaction ID">{upiId}</Clipped>
          <FindingsMark findings={findings} isSettled={isChecked} />
        </span>
      ),
    text: (purchase) => purchase.upiId,
    sort: 'upiId',
    sortNeeds: 'numbers.read',
    panel: { copy: true },
    hasCardLabel: true,
  },
  {
    key: 'claimType',
    header: 'Claim Type',
    from: 1100,
    width: 'minmax(88px, 0.6fr)',
    text: (purchase) => purchase.claimType,
    sort: 'claimType',
    sortNeeds: 'numbers.read',
    hasCardLabel: true,
  },
  {
    key: 'qrName',
    header: 'QR Name',
    width: 'minmax(104px, 0.8fr)',
    text: (purchase) => purchase.qrName,
    sort: 'qrName',
    sortNeeds: 'numbers.read',
    hasCardLabel: true,
  },
];

export const purchaseCard: CardLayout = {
  height: 114,
  columns: 'minmax(0, 1fr) auto',
  rows: 'repeat(5, 20px)',
  areas:
    '"name invest" "mobile dailyIncome" "transaction transaction" "claimType date" "qrName qrName"',
  atEnd: ['invest', 'dailyIncome', 'date'],
};
