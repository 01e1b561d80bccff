import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useList } from '../../../api/pagedList';
import { useNotices } from '../../../api/rowTasks';
import { type QrCode, qrQuery, qrTasks } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { Notices } from '../../../ui/notices/Notices';
import { wholeList } from '../../../ui/table/columns/columns';
import { useView } from '../../../ui/table/filters/useView';
import { DataTable } from '../../../ui/table/frame/DataTable';
import { countOf } from '../../../ui/text/rupees';
import { type Asked, QrDialogs } from '../panel/QrDialogs';
import styles from './QrTable.module.css';
import { changeStatus, endRequest, runQrTask } from './qrActions';
import { cardsFor, qrColumns, qrRowHeight } from './qrColumns';
import { filteredCodes, qrView } from './qrView';

/** The number on display always counts all codes, even during a search: customers pay to these. */
function summaryOf(all: readonly QrCode[], found: readonly QrCode[]): string {
  const codes = countOf(all.length, 'QR code');
  const onDisplay = `${all.filter((qr) => qr.status === 'display').length} on display`;
  return found.length === all.length
    ? `${codes}, ${onDisplay}`
    : `${found.length} of ${codes} found, ${onDisplay} in all`;
}

export function QrTable() {
  const control = useView(qrView);
  const { rows, ...rest } = useList(qrQuery);
  const shown = useMemo(() => rows && filteredCodes(rows, control.view), [rows, control.view]);
  const client = useQueryClient();
  const notices = useNotices(qrTasks);
  const [asked, setAsked] = useState<Asked | null>(null);
  const cards = useMemo(() => cardsFor(rows ?? []), [rows]);
  const columns = useMemo(
    () =>
      qrColumns({
        onStatus: (qr, status) => void changeStatus(client, qr, status),
        onDelete: (qr) => setAsked({ what: 'delete', qr }),
        onConfirm: (qr) => setAsked({ what: 'confirm', qr }),
        onEndRequest: (qr) =>
          void runQrTask(client, qr, 'The request to display was not cancelled', () =>
            endRequest(qr),
          ),
      }),
    [client],
  );

  useEffect(() => {
    for (const qr of rows ?? []) {
      if (!qr.displayRequest && notices.get(qr._id)?.isWaiting) qrTasks.dismiss(qr._id);
    }
  }, [rows, notices]);

  return (
    <section className={styles.section} aria-labelledby="qr-table">
      <div className={styles.titleLine}>
        <h2 id="qr-table" tabIndex={-1} className={styles.title}>
          QR Table
        </h2>
        {rows && shown && <p className="quiet">{summaryOf(rows, shown)}</p>}
        <Button onClick={() => setAsked({ what: 'history', qr: null })}>History</Button>
      </div>
      <Notices notices={notices} onDismiss={qrTasks.dismiss} />
      <DataTable
        label="QR Table"
        noun="QR code"
        columns={columns}
        cards={cards}
        list={wholeList(shown, rest)}
        control={control}
        toolbar={{ screen: 'qr', searchHint: 'Search name or UPI ID' }}
        rowHeight={qrRowHeight}
        onOpen={(qr) => setAsked({ what: 'panel', qr })}
        scroll="page"
        empty={<p>No QR code has been uploaded yet. Fill in the form above to add the first.</p>}
      />
      {asked && <QrDialogs asked={asked} codes={rows ?? []} onAsk={setAsked} />}
    </section>
  );
}
