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
  nameColumn('minmax(140px, 1.4fr)', ({ user }) => user.username),
  mobileColumn('124px', ({ user }) => user.mobile),
  amountColumn({ key: 'invest', header: 'Invest', width: '140px' }, ({ invest }) => invest, true),
  {
    ...amountColumn(
      { key: 'dailyIncome', header: 'Daily Income', width: '132px' },
      ({ dailyIncome }: Purchase) => dailyIncome,
    ),
    hasCardLabel: true,
  },
  {
    key: 'transaction',
    header: 'Transaction ID',
    width: 'minmax(148px, 1.2fr)',
    look: 'figures',
    cell: ({ upiId, findings }) =>
      findings.length === 0 ? (
        upiId
      ) : (
        // The mark stays visible when the ID is truncated.
        <span className={styles.line}>
          <Clipped header="Transaction ID">{upiId}</Clipped>
          <FindingsMark findings={findings} />
        </span>
      ),
    text: (purchase) => purchase.upiId,
    sort: 'upiId',
    panel: {
      copy: true,
      notes: ({ findings }) => findings.map(({ sentence }) => sentence),
    },
    hasCardLabel: true,
  },
  {
    key: 'claimType',
    header: 'Claim Type',
    width: 'minmax(88px, 0.6fr)',
    text: (purchase) => purchase.claimType,
    sort: 'claimType',
    hasCardLabel: true,
  },
  {
    key: 'qrName',
    header: 'QR Name',
    width: 'minmax(104px, 0.8fr)',
    text: (purchase) => purchase.qrName,
    sort: 'qrName',
    hasCardLabel: true,
  },
];

export const purchaseCards: CardLayout[] = [
  {
    upTo: 767,
    height: 112,
    // A long claim type ends in an ellipsis, so that it does not take space from the name above it.
    columns: 'minmax(0, 1fr) auto fit-content(44%)',
    areas:
      '"name invest invest" "mobile dailyIncome dailyIncome" "transaction transaction claimType" "qrName qrName date"',
    atEnd: ['invest', 'dailyIncome', 'claimType', 'date'],
  },
  {
    upTo: 1080,
    height: 64,
    // Wide enough for an ID with its mark and for any claim claimType: both are useless when truncated.
    columns: 'minmax(0, 1fr) minmax(228px, 1.1fr) minmax(128px, 0.6fr) 168px',
    areas: '"name transaction claimType invest" "mobile qrName date dailyIncome"',
    atEnd: ['invest', 'dailyIncome'],
  },
];
