import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../../api/errors';
import { type QrCode, qrQuery } from '../../../entities/qr/qr';
import { Dialog } from '../../../ui/dialog/Dialog';
import { AnswerField } from '../../../ui/form/AnswerField';
import { Alert, Lines } from '../../../ui/notices/Alert';
import { noteOf } from '../table/QrButtons';
import { confirmQr } from '../table/qrActions';
import styles from './QrPanel.module.css';
import { Findings, QrPictures } from './QrPictures';

interface QrConfirmProps {
  qr: QrCode;
  onDone: () => void;
  onCancel: () => void;
}

type Field = 'reason' | 'payee';
const missing = {
  reason: 'Enter a reason. It stays in the history of this code.',
  payee: 'Enter the address.',
};

const failed = (error: Error) =>
  isOutcomeUnknown(error) ? 'It is not certain whether it was confirmed.' : 'It was not confirmed.';

/** Lets a code with findings be displayed. Needs a reason, and a second admin or the address typed again. */
export function QrConfirm({ qr, onDone, onCancel }: QrConfirmProps) {
  const client = useQueryClient();
  const [given, setGiven] = useState({ reason: '', payee: '' });
  const [problems, setProblems] = useState<Partial<Record<Field, string>>>({});
  const isRetyped = qr.confirmBy === 'retype';
  const refetch = () => client.invalidateQueries({ queryKey: qrQuery.queryKey });
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (body: Schemas['QrConfirmRequest']) => confirmQr(qr._id, body).then(refetch),
    onSuccess: onDone,
    onError: (refused) => {
      setProblems(refused instanceof RefusedError ? refused.fields : {});
      // Another admin may have been first, or only the response was lost.
      void refetch();
    },
  });
  // Another admin has confirmed it, or the lost request of this one did.
  const isOver = qr.confirmBy === null && !isPending;
  const isAboutField =
    error instanceof RefusedError && Boolean(error.fields.reason || error.fields.payee);

  const change = (field: Field) => (value: string) => {
    setGiven((now) => ({ ...now, [field]: value }));
    setProblems(({ [field]: _, ...others }) => others);
  };

  const onConfirm = () => {
    const reason = given.reason.trim();
    const payee = given.payee.trim();
    const gaps = {
      ...(!reason && { reason: missing.reason }),
      ...(isRetyped && !payee && { payee: missing.payee }),
    };
    setProblems(gaps);
    reset();
    if (Object.keys(gaps).length === 0) mutate({ reason, payee: isRetyped ? payee : null });
  };

  const shared = { isRequired: true, isReadOnly: isPending || isOver };
  return (
    <Dialog
      title="Confirm this QR code?"
      confirm={{ label: 'Confirm', isGrave: true, isBusy: isPending, isOver, onConfirm }}
      onClose={onCancel}
      fields={
        <>
          {isRetyped && (
            <AnswerField
              {...shared}
              label={qr.reading.payee ? 'Address that the picture pays' : 'UPI ID'}
              hint="Retype it: there is no second admin to check."
              value={given.payee}
              onChange={change('payee')}
              problem={problems.payee}
              isFirst
              isAddress
              maxLength={320}
            />
          )}
          <AnswerField
            {...shared}
            label="Reason"
            value={given.reason}
            onChange={change('reason')}
            problem={problems.reason}
            isFirst={!isRetyped}
            isLong
            maxLength={500}
          />
          {isOver && (
            <div className={styles.failure}>
              <Alert tone="plain">
                <Lines lines={[noteOf(qr) || 'It needs no confirmation now.']} />
              </Alert>
            </div>
          )}
          {error && !isAboutField && !isOver && (
            <div className={styles.failure}>
              <Alert tone="bad">
                <Lines lines={[failed(error), sentenceOf(error)]} />
              </Alert>
            </div>
          )}
        </>
      }
    >
      <div className={styles.beside}>
        <QrPictures qr={qr} isSmall />
        <div className={styles.text}>
          <p className="medium">{qr.name}</p>
          <p className={styles.caption}>UPI ID as typed</p>
          <p>{qr.upiId}</p>
          {qr.reading.payeeName && (
            <>
              <p className={styles.caption}>Payee name in the picture</p>
              <p>{qr.reading.payeeName}</p>
            </>
          )}
          {qr.uploadedBy && (
            <>
              <p className={styles.caption}>Uploaded by</p>
              <p>{qr.uploadedBy}</p>
            </>
          )}
        </div>
      </div>
      <Findings {...qr.reading} />
      <p className={styles.follows}>
        It can be displayed after this. Your name and the reason stay in its history.
      </p>
    </Dialog>
  );
}
