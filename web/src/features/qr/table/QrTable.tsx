import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useList } from '../../../api/pagedList';
import { useNotices } from '../../../api/rowTasks';
import { type QrCode, qrQuery, qrTasks } from '../../../entities/qr/qr';
import { Button } from '../../../ui/Button';
import { Notices } from '../../../ui/notices/Notices';
import { Toast } from '../../../ui/notices/Toast';
import { wholeList } from '../../../ui/table/columns/columns';
import { useView } from '../../../ui/table/filters/useView';
import { DataTable } from '../../../ui/table/frame/DataTable';
import type { TableHandle } from '../../../ui/table/rows/currentRow';
import { useOpenedRow } from '../../../ui/table/rows/openedRow';
import { countOf } from '../../../ui/text/rupees';
import { type Asked, QrDialogs } from '../panel/QrDialogs';
import { QrPanel } from '../panel/QrPanel';
import { isOnDisplay } from './onDisplay';
import styles from './QrTable.module.css';
import { display, endRequest, hide } from './qrActions';
import { cardFor, qrColumns, qrRowHeight } from './qrColumns';
import { filteredCodes, qrView } from './qrView';

/** The number on display always counts all codes, even during a search: customers pay to these. */
function summaryOf(all: readonly QrCode[], found: readonly QrCode[]): string {
  const codes = countOf(all.length, 'QR code');
  const onDisplay = `${all.filter(isOnDisplay).length} on display`;
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
  const [message, setMessage] = useState({ sentence: '', number: 0 });
  const say = useCallback(
    (sentence: string) => setMessage(({ number }) => ({ sentence, number: number + 1 })),
    [],
  );
  const endMessage = useCallback(() => say(''), [say]);
  const list = wholeList(shown, rest);
  const table = useRef<TableHandle<QrCode>>(null);
  const { opened, open, step, close } = useOpenedRow({
    list,
    table,
    address: {
      of: ({ number }) => number,
      // Also if the search leaves it out.
      find: async (name) => rows?.find(({ number }) => number === name),
    },
    isDue: rows !== undefined,
    onMissing: (name) => say(`There is no QR code ${name}. It may have been deleted.`),
  });
  const askFromPanel = (what: 'confirm' | 'history', qr: QrCode) => {
    close();
    setAsked({ what, qr });
  };
  const seen = useRef<readonly QrCode[]>([]);
  useLayoutEffect(() => {
    seen.current = (rows ?? []).filter(isOnDisplay);
  }, [rows]);
  const card = useMemo(() => cardFor(rows ?? []), [rows]);
  const columns = useMemo(
    () =>
      qrColumns({
        onDisplay: (qr) => setAsked({ what: 'display', qr }),
        onHide: (qr) => void hide(client, qr, { seen: seen.current, say }),
        onDelete: (qr) => setAsked({ what: 'delete', qr }),
        onConfirm: (qr) => setAsked({ what: 'confirm', qr }),
        onEndRequest: (qr) => void endRequest(client, qr),
      }),
    [client, say],
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
        card={card}
        list={list}
        control={control}
        toolbar={{ screen: 'qr', searchHint: 'Search name, UPI ID or Q-number' }}
        rowHeight={qrRowHeight}
        onOpen={(_, index) => open(index)}
        handle={table}
        scroll="page"
        empty={
          <p>No QR code has been uploaded yet. Fill in the form above to add the first one.</p>
        }
      />
      {opened && (
        <QrPanel
          qr={rows?.find(({ _id }) => _id === opened.row._id) ?? opened.row}
          onConfirm={() => askFromPanel('confirm', opened.row)}
          onHistory={() => askFromPanel('history', opened.row)}
          onStep={step}
          onClose={close}
        />
      )}
      {asked && (
        <QrDialogs
          asked={asked}
          codes={rows ?? []}
          onAsk={setAsked}
          onDisplay={(qr, replaced, seen) => void display(client, qr, replaced, { seen, say })}
        />
      )}
      <Toast message={message} onEnd={endMessage} />
    </section>
  );
}
