import { useId, useState } from 'react';
import type { QrCode } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { Dialog, useArming } from '../../../ui/dialog/Dialog';
import { payeeOf } from '../table/qrActions';
import { QrImage } from '../table/qrColumns';
import styles from './QrDisplay.module.css';
import { Findings, QrPictures } from './QrPictures';

interface QrDisplayProps {
  qr: QrCode;
  codes: readonly QrCode[];
  /** Null displays the code beside those that are on display. */
  onDisplay: (replaced: QrCode | null) => void;
  onCancel: () => void;
}

/** Asks before customers see a code, and which code on display it replaces, if any. */
export function QrDisplay({ qr, codes, onDisplay, onCancel }: QrDisplayProps) {
  const id = useId();
  const isArming = useArming();
  const listed = useListed(codes, qr);
  const current = listed.filter(isOnDisplay);
  const asked = qr.displayRequest?.replaces;
  const isOver = qr.displayBy === null || qr.displayBy === 'wait';
  return (
    <Dialog
      title={`Display ${qr.name}?`}
      isWide
      confirm={{
        label: current.length > 0 ? 'Display as well' : 'Display',
        look: current.length > 0 ? 'quiet' : 'filled',
        isGrave: true,
        isOver,
        onConfirm: () => onDisplay(null),
      }}
      onClose={onCancel}
      fields={
        <section aria-labelledby={id} className={styles.section}>
          <h3 id={id} className={styles.heading}>
            On display now
          </h3>
          {listed.length === 0 && <p className="small quiet">Nothing. Customers cannot pay yet.</p>}
          <ul>
            {listed.map((code) => (
              <li key={code._id} className={styles.code}>
                <QrImage qr={code} />
                <div className={styles.names}>
                  <p className="medium">{code.name}</p>
                  <p className="small quiet">{payeeOf(code)}</p>
                  {code._id === asked && (
                    <p className="small odd">{`${qr.displayRequest?.by} asked to replace this one.`}</p>
                  )}
                </div>
                {isOnDisplay(code) ? (
                  <Button
                    look={code._id === asked || current.length === 1 ? 'filled' : 'quiet'}
                    className={styles.replace}
                    disabled={isArming || isOver}
                    onClick={() => onDisplay(code)}
                  >
                    {`Replace ${code.name}`}
                  </Button>
                ) : (
                  <p className="small quiet">No longer on display</p>
                )}
              </li>
            ))}
          </ul>
        </section>
      }
    >
      <div className={styles.beside}>
        <QrPictures qr={qr} isSmall isDrawnOnly />
        <dl>
          <dt>Payee</dt>
          <dd className="medium">{qr.reading.payeeName ?? 'No name in the code'}</dd>
          <dt>Pays</dt>
          <dd className="medium figures">{payeeOf(qr)}</dd>
          {qr.upiId !== payeeOf(qr) && (
            <>
              <dt>UPI ID beside it</dt>
              <dd className="figures">{qr.upiId}</dd>
            </>
          )}
        </dl>
      </div>
      {qr.reading.findings.length > 0 && <Findings {...qr.reading} />}
      <Approval qr={qr} isOver={isOver} />
    </Dialog>
  );
}

function Approval({ qr, isOver }: { qr: QrCode; isOver: boolean }) {
  const { displayBy, displayNote, approvers, status, name } = qr;
  if (status === 'display') return <p>{`${name} is on display now.`}</p>;
  if (isOver) return <p className="odd">{displayNote || qr.confirmNote}</p>;
  if (displayBy === 'approve') return <p className="notable">{displayNote}</p>;
  if (displayBy !== 'request') return null;
  return (
    <p className="notable">
      {`New payee. Needs a second admin's approval. The request waits on the screen of ${anyOf(approvers)}, who can approve it.`}
    </p>
  );
}

const isOnDisplay = (code: QrCode) => code.status === 'display';

const anyOf = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names);

/** A code that goes off display meanwhile keeps its place, and a new one comes last: no button moves. */
function useListed(codes: readonly QrCode[], qr: QrCode): readonly QrCode[] {
  const [atOpening] = useState(() => codes.filter(isOnDisplay));
  const first = atOpening.map(
    (code): QrCode => codes.find(({ _id }) => _id === code._id) ?? { ...code, status: 'hide' },
  );
  const known = new Set([qr._id, ...atOpening.map(({ _id }) => _id)]);
  return [...first, ...codes.filter((code) => isOnDisplay(code) && !known.has(code._id))];
}
