import { StatusLabel } from '../../ui/StatusLabel';
import type { CardLayout, Column } from '../../ui/table/columns';
import { QrButtons, type QrHandlers } from './QrButtons';
import styles from './QrImage.module.css';
import type { QrCode } from './qrQuery';

export const altOf = (qr: QrCode) => `QR code of ${qr.name}`;

export const qrColumns = (handlers: QrHandlers): Column<QrCode>[] => [
  {
    key: 'name',
    header: 'Name',
    width: 'minmax(120px, 1fr)',
    look: 'strong',
    cell: (qr) => qr.name,
    text: (qr) => qr.name,
    sort: 'name',
    opens: true,
    card: { area: 'name' },
  },
  {
    key: 'upiId',
    header: 'UPI ID',
    width: 'minmax(140px, 1.2fr)',
    look: 'figures',
    cell: (qr) => qr.upiId,
    text: (qr) => qr.upiId,
    sort: 'upiId',
    panel: { copy: true },
    card: { area: 'upi' },
  },
  {
    key: 'image',
    header: 'QR Image',
    width: '132px',
    cell: (qr) => (
      <img src={qr.qrImage} alt={altOf(qr)} width={100} loading="lazy" className={styles.image} />
    ),
    card: { area: 'image' },
  },
  {
    key: 'status',
    header: 'Status',
    width: '104px',
    cell: (qr) => (
      <StatusLabel tone={qr.status === 'display' ? 'done' : 'off'}>{qr.status}</StatusLabel>
    ),
    text: (qr) => qr.status,
    sort: 'status',
    card: { area: 'status' },
  },
  {
    key: 'action',
    header: 'Action',
    width: '232px',
    cell: (qr) => <QrButtons qr={qr} {...handlers} />,
    card: { area: 'action' },
  },
];

export const qrRowHeight = 117;

export const qrCards: CardLayout[] = [
  {
    upTo: 819,
    height: 185,
    columns: '100px minmax(0, 1fr)',
    rows: '34px 24px 48px 48px',
    areas: '"image name" "image upi" "image status" "action action"',
    atEnd: [],
  },
];
