import type { QrCode } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { SidePanel } from '../../../ui/dialog/SidePanel';
import { CopyButton } from '../../../ui/text/CopyButton';
import { formatMoment } from '../../../ui/text/dates';
import { StatusLabel } from '../../../ui/text/StatusLabel';
import { noteOf } from '../table/QrButtons';
import styles from './QrPanel.module.css';
import { Findings, QrPictures } from './QrPictures';

interface QrPanelProps {
  qr: QrCode;
  onConfirm: () => void;
  onHistory: () => void;
  onStep: (rows: number) => void;
  onClose: () => void;
}

/** One code, with everything that is known about its picture. */
export function QrPanel({ qr, onConfirm, onHistory, onStep, onClose }: QrPanelProps) {
  const { payee, payeeName } = qr.reading;
  const note = noteOf(qr);
  return (
    <SidePanel
      title={qr.name}
      address={qr.number}
      step={{ noun: 'QR code', onStep }}
      onClose={onClose}
    >
      <p className={styles.number}>{qr.number}</p>
      <QrPictures qr={qr} />
      <div className="stack">
        <Findings {...qr.reading} />
        {note && <p className="quiet wrap">{note}</p>}
      </div>
      <div className={styles.buttons}>
        {qr.confirmBy && (
          <Button needs="qr.display" onClick={onConfirm}>
            Confirm…
          </Button>
        )}
        <Button onClick={onHistory}>History</Button>
      </div>
      <dl className="small">
        <Line name="UPI ID" value={qr.upiId} canCopy />
        <Line name="Pays" value={payee} canCopy />
        <Line name="Payee name" value={payeeName} />
        <div className={styles.field}>
          <dt className="quiet">Status</dt>
          <dd className="line">
            <StatusLabel tone={qr.status === 'display' ? 'done' : 'off'}>{qr.status}</StatusLabel>
          </dd>
        </div>
        <Line name="Uploaded" value={formatMoment(qr.createdAt)} />
        <Line name="By" value={qr.uploadedBy} />
      </dl>
    </SidePanel>
  );
}

interface LineProps {
  name: string;
  value: string | null;
  canCopy?: boolean;
}

function Line({ name, value, canCopy = false }: LineProps) {
  if (!value) return null;
  return (
    <div className={styles.field}>
      <dt className="quiet">{name}</dt>
      <dd className="line">
        <span className="grow figures wrap">{value}</span>
        {canCopy && <CopyButton what={name} text={value} />}
      </dd>
    </div>
  );
}
