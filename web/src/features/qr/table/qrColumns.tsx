import type { QrCode } from '../../../entities/qr/qr';
import type { CardLayout, Column } from '../../../ui/table/columns/columns';
import { StatusLabel } from '../../../ui/text/StatusLabel';
import { noteOf, QrButtons, type QrHandlers } from './QrButtons';
import styles from './QrTable.module.css';

/** Loaded when it is scrolled into view. */
export const QrImage = ({ qr }: { qr: QrCode }) => (
  <img src={qr.qrImage} alt={altOf(qr)} width={100} loading="lazy" className={styles.image} />
);

export const altOf = (qr: QrCode) => `QR code of ${qr.name}`;

export const qrColumns = (handlers: QrHandlers): Column<QrCode>[] => [
  {
    key: 'number',
    header: 'QR No.',
    width: '92px',
    look: 'figures',
    text: (qr) => qr.number,
  },
  {
    key: 'name',
    header: 'Name',
    width: 'minmax(100px, 0.8fr)',
    look: 'strong',
    text: (qr) => qr.name,
    sort: 'name',
    opens: true,
  },
  {
    key: 'upiId',
    header: 'UPI ID',
    width: 'minmax(130px, 1.2fr)',
    look: 'figures',
    cell: (qr) => <PayeeCell qr={qr} />,
    text: (qr) => qr.upiId,
    sort: 'upiId',
  },
  {
    key: 'image',
    header: 'QR Image',
    width: 'minmax(112px, 132px)',
    cell: (qr) => <QrImage qr={qr} />,
  },
  {
    key: 'status',
    header: 'Status',
    width: 'minmax(88px, 104px)',
    cell: (qr) => (
      <StatusLabel tone={qr.status === 'display' ? 'done' : 'off'}>{qr.status}</StatusLabel>
    ),
    text: (qr) => qr.status,
    sort: 'status',
  },
  {
    key: 'action',
    header: 'Action',
    width: 'minmax(230px, 1.8fr)',
    cell: (qr) => <QrButtons qr={qr} {...handlers} />,
  },
];

export const qrRowHeight = 117;

const plainCard: CardLayout = {
  height: 180,
  columns: '100px minmax(0, 1fr) auto',
  rows: '32px 74px 48px',
  areas: '"image name status" "image upiId upiId" "action action action"',
  atEnd: ['status'],
};

/** With space for a few lines below the address and below the buttons. */
const tallCard: CardLayout = { ...plainCard, height: 234, rows: '30px 78px 100px' };

/** All cards have the same height, which is larger if any code has findings or a note. */
export const cardFor = (codes: readonly QrCode[]) =>
  codes.some((qr) => qr.reading.findings.length > 0 || noteOf(qr)) ? tallCard : plainCard;

/** The typed UPI ID, and below it the payee of the picture, or what is wrong with the picture. */
function PayeeCell({ qr: { upiId, reading } }: { qr: QrCode }) {
  const found = reading.findings.map(({ sentence }) => sentence).join(' ');
  const below = found || reading.payeeName;
  return (
    <div className={styles.payee}>
      <span className="clip" title={upiId}>
        {upiId}
      </span>
      {below && (
        <span className={found ? styles.found : 'clip tiny quiet'} title={below}>
          {below}
        </span>
      )}
    </div>
  );
}
