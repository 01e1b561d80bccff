import { useId, useState } from 'react';
import type { QrCode } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { Dialog, useArming } from '../../../ui/dialog/Dialog';
import { isOnDisplay, payeeOf, sayChange } from '../table/onDisplay';
import { QrImage } from '../table/qrColumns';
import styles from './QrDisplay.module.css';
import { Findings, QrPictures } from './QrPictures';

interface QrDisplayProps {
  qr: QrCode;
  codes: readonly QrCode[];
  /** Null displays the code beside those that were `seen` on display. */
  onDisplay: (replaced: QrCode | null, seen: readonly QrCode[]) => void;
  onCancel: () => void;
}

/** Asks before customers see a code, and which code on display it replaces, if any. */
export function QrDisplay({ qr, codes, onDisplay, onCancel }: QrDisplayProps) {
  const id = useId();
  const shown = codes.filter((code) => isOnDisplay(code) && code._id !== qr._id);
  const question = questionOf(qr, shown);
  // The answers are those to the question that was asked, until the admin has seen that it is another one.
  const [asked, setAsked] = useState({ question, shown });
  const isOver = qr.displayBy === null || qr.displayBy === 'wait';
  const isOther = !isOver && asked.question !== question;
  const isArming = useArming(!isOther);
  const listed = listedOf(codes, asked.shown, shown);
  const wanted = qr.displayRequest?.replaces;
  return (
    <Dialog
      title={`Display ${qr.name}?`}
      isWide
      confirm={{
        label: asked.shown.length > 0 ? 'Display as well' : 'Display',
        look: asked.shown.length > 0 ? 'quiet' : 'filled',
        isGrave: true,
        isHeld: isOther,
        isOver,
        onConfirm: () => onDisplay(null, asked.shown),
      }}
      onClose={onCancel}
      fields={
        <section aria-labelledby={id} className={styles.section}>
          <h3 id={id} className={styles.heading}>
            On display now
          </h3>
          {isOther && (
            <div className={styles.changed}>
              <p role="alert" className="grow odd">
                {`${sayChange(asked.shown, shown) || 'What Display does has changed'} while this was open. Nothing was done.`}
              </p>
              <Button
                onClick={({ currentTarget }) => {
                  // The button is about to be removed. No other button gets the focus.
                  currentTarget.closest('dialog')?.focus();
                  setAsked({ question, shown });
                }}
              >
                Choose again
              </Button>
            </div>
          )}
          {listed.length === 0 && <p className="small quiet">Nothing. Customers cannot pay yet.</p>}
          <ul>
            {listed.map((code) => (
              <li key={code._id} className={styles.code}>
                <QrImage qr={code} />
                <div className={styles.names}>
                  <p className="medium">{code.name}</p>
                  <p className="small quiet">{payeeOf(code)}</p>
                  {code._id === wanted && (
                    <p className="small odd">{`${qr.displayRequest?.by} asked to replace this one.`}</p>
                  )}
                </div>
                {isOnDisplay(code) ? (
                  <Button
                    look={code._id === wanted || asked.shown.length === 1 ? 'filled' : 'quiet'}
                    className={styles.replace}
                    disabled={isArming || isOther || isOver}
                    onClick={() => onDisplay(code, asked.shown)}
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

const anyOf = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names);

/** Everything that decides what an answer does. */
const questionOf = (qr: QrCode, shown: readonly QrCode[]) =>
  [qr.displayBy, qr.displayRequest?.replaces, ...shown.map(({ _id }) => _id).sort()].join(' ');

/** A code that goes off display meanwhile keeps its place, and a new one comes last: no button moves. */
function listedOf(
  codes: readonly QrCode[],
  atAsking: readonly QrCode[],
  shown: readonly QrCode[],
): readonly QrCode[] {
  const first = atAsking.map(
    (code): QrCode => codes.find(({ _id }) => _id === code._id) ?? { ...code, status: 'hide' },
  );
  return [...first, ...shown.filter(({ _id }) => !atAsking.some((code) => code._id === _id))];
}
