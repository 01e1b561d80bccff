import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useList } from '../../api/list';
import { useNotices } from '../../api/rowWork';
import { Notices } from '../../ui/Notices';
import { countOf } from '../../ui/rupees';
import { wholeList } from '../../ui/table/columns';
import { DataTable } from '../../ui/table/DataTable';
import { useView } from '../../ui/table/useView';
import { DeleteConfirm } from './DeleteConfirm';
import styles from './QrTable.module.css';
import { changeStatus, remove } from './qrActions';
import { qrCards, qrColumns, qrRowHeight } from './qrColumns';
import { type QrCode, qrQuery } from './qrQuery';
import { qrView, viewedCodes } from './qrView';
import { qrWork } from './qrWork';

const idOf = (qr: QrCode) => qr._id;

function summaryOf(codes: readonly QrCode[]): string {
  const shown = codes.filter((qr) => qr.status === 'display').length;
  return `${countOf(codes.length, 'QR code')}, ${shown} on display`;
}

export function QrTable() {
  const control = useView(qrView);
  const { rows, ...rest } = useList(qrQuery);
  const shown = useMemo(() => rows && viewedCodes(rows, control.view), [rows, control.view]);
  const client = useQueryClient();
  const notices = useNotices(qrWork);
  const [toDelete, setToDelete] = useState<QrCode | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const columns = useMemo(
    () =>
      qrColumns({
        onStatus: (qr, status) => void changeStatus(client, qr, status),
        onDelete: setToDelete,
      }),
    [client],
  );

  const confirmDelete = (qr: QrCode) => {
    setToDelete(null);
    // The row is about to go: the table's title is the nearest place that stays.
    requestAnimationFrame(() => heading.current?.focus());
    void remove(client, qr);
  };

  return (
    <section className={styles.section} aria-labelledby="qr-table">
      <div className={styles.titleLine}>
        <h2 id="qr-table" ref={heading} tabIndex={-1} className={styles.title}>
          QR Table
        </h2>
        {shown && <p className={styles.summary}>{summaryOf(shown)}</p>}
      </div>
      <Notices notices={notices} onDismiss={qrWork.dismiss} />
      <DataTable
        label="QR Table"
        noun="QR code"
        columns={columns}
        cards={qrCards}
        list={wholeList(shown, rest)}
        idOf={idOf}
        control={control}
        toolbar={{ screen: 'qr', searchHint: 'Search name or UPI ID' }}
        rowHeight={qrRowHeight}
        scroll="page"
        empty={<p>No QR code has been uploaded yet. Fill in the form above to add the first.</p>}
      />
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
