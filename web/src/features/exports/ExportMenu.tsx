import { useRef } from 'react';
import { useStore } from '../../api/store';
import { DownloadIcon } from '../../ui/icons/icons';
import { Popover } from '../../ui/popover/Popover';
import { ToolTrigger } from '../../ui/table/frame/Toolbar';
import type { ExportToolProps } from '../../ui/table/frame/tableTools';
import { countOf } from '../../ui/text/rupees';
import styles from './ExportOffers.module.css';
import { type ExportFormat, exportJobs, hasAsking, startExport } from './exportJobs';
import { longNumbers, nounOf } from './exportLists';

export function ExportMenu(props: ExportToolProps) {
  return (
    <Popover label="Export" trigger={<ToolTrigger Icon={DownloadIcon} word="Export" />}>
      {(close) => <ExportOffers {...props} close={close} />}
    </Popover>
  );
}

/** The panel stays open this long: the second click of a double click must not hit a button in the row below. */
const lingerMilliseconds = 400;

function ExportOffers({ list, query, count, close }: ExportToolProps & { close: () => void }) {
  const isAsking = useStore(exportJobs, hasAsking);
  const hasChosen = useRef(false);

  const choose = async (format: ExportFormat) => {
    // The response may arrive before the second click of a double click.
    if (isAsking || hasChosen.current) return;
    hasChosen.current = true;
    const linger = new Promise((resolve) => setTimeout(resolve, lingerMilliseconds));
    await Promise.all([startExport({ list, format, query }), linger]);
    hasChosen.current = false;
    close();
  };

  const offers = [
    { format: 'csv', name: 'CSV', use: 'Opens anywhere' },
    { format: 'xlsx', name: 'Excel (XLSX)', use: `Keeps ${longNumbers[list]} as text` },
  ] as const;

  if (count === 0) {
    return (
      <div className={styles.menu}>
        <p
          className={styles.what}
        >{`No ${nounOf[list]} matches, so there is nothing to export.`}</p>
      </div>
    );
  }
  return (
    <div className={styles.menu}>
      <p className={styles.what}>
        {count === undefined
          ? `Exports these ${list}.`
          : `Exports ${count === 1 ? 'this' : 'these'} ${countOf(count, nounOf[list])}.`}
      </p>
      {offers.map(({ format, name, use }) => (
        <button
          key={format}
          type="button"
          className={styles.offer}
          // Not disabled: a disabled button would lose the focus.
          aria-disabled={isAsking || undefined}
          onClick={() => void choose(format)}
        >
          <span className="medium">{name}</span>
          <span className="tiny quiet">{use}</span>
        </button>
      ))}
    </div>
  );
}
