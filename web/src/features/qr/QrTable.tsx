import { useCallback, useMemo, useRef, useState } from 'react';
import { useList } from '../../api/list';
import { Alert } from '../../ui/Alert';
import { countOf } from '../../ui/rupees';
import { DataTable } from '../../ui/table/DataTable';
import { DeleteConfirm } from './DeleteConfirm';
import styles from './QrTable.module.css';
import { QrRowActions, useQrActions } from './qrActions';
import { qrCards, qrColumns, qrRowHeight } from './qrColumns';
import { type QrCode, qrQuery } from './qrQuery';

const idOf = (qr: QrCode) => qr._id;

function summaryOf(codes: readonly QrCode[]): string {
  const shown = codes.filter((qr) => qr.status === 'display').length;
  return `${countOf(codes.length, 'QR code')}, ${shown} on display`;
}

export function QrTable() {
  const list = useList(qrQuery);
  const { busy, failure, setStatus, remove, dismiss } = useQrActions();
  const [toDelete, setToDelete] = useState<QrCode | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const onDelete = useCallback((qr: QrCode) => setToDelete(qr), []);
  const rowActions = useMemo(
    () => ({ busy, onStatus: setStatus, onDelete }),
    [busy, setStatus, onDelete],
  );

  const confirmDelete = (qr: QrCode) => {
    setToDelete(null);
    // The row is about to go: the table's title is the nearest place that stays.
    requestAnimationFrame(() => heading.current?.focus());
    void remove(qr);
  };

  return (
    <section className={styles.section} aria-labelledby="qr-table">
      <div className={styles.titleLine}>
        <h2 id="qr-table" ref={heading} tabIndex={-1} className={styles.title}>
          QR Table
        </h2>
        {list.rows && <p className={styles.summary}>{summaryOf(list.rows)}</p>}
      </div>
      {failure && (
        <Alert key={failure.key} tone="bad" onDismiss={dismiss}>
          {failure.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Alert>
      )}
      <QrRowActions value={rowActions}>
        <DataTable
          label="QR Table"
          noun="QR code"
          columns={qrColumns}
          cards={qrCards}
          list={list}
          idOf={idOf}
          rowHeight={qrRowHeight}
          scroll="page"
          empty={<p>No QR code has been uploaded yet. Fill in the form above to add the first.</p>}
        />
      </QrRowActions>
      {toDelete && (
        <DeleteConfirm
          qr={toDelete}
          onConfirm={() => confirmDelete(toDelete)}
          onCancel={() => setToDelete(null)}
        />
      )}
    </section>
  );
}
