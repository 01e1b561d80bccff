import { useRef } from 'react';
import { DownloadIcon } from '../../ui/icons/icons';
import { Popover } from '../../ui/popover/Popover';
import { ToolTrigger } from '../../ui/table/frame/Toolbar';
import { countOf } from '../../ui/text/rupees';
import styles from './ExportOffers.module.css';
import { startExport } from './exportActions';
import { useIsAsking } from './exportJobs';
import type { ExportFormat, ExportList } from './exportsQuery';
import { longNumbers, nounOf } from './exportTexts';

interface ExportMenuProps {
  list: ExportList;
  /** The filters and the sort order, as in the URL of the list. */
  query: Readonly<Record<string, string>>;
  /** The number of matches, if it is known exactly. */
  count?: number | undefined;
}

export function ExportMenu(props: ExportMenuProps) {
  return (
    <Popover label="Export" trigger={<ToolTrigger Icon={DownloadIcon} word="Export" />}>
      {(close) => <ExportOffers {...props} close={close} />}
    </Popover>
  );
}

interface ExportOffersProps {
  list: ExportList;
  query: Readonly<Record<string, string>>;
  count?: number | undefined;
  close: () => void;
}

/**
 * The panel stays open this long, so that the second click of a double click does not hit a button in the row below.
 */
const lingerMilliseconds = 400;

function ExportOffers({ list, query, count, close }: ExportOffersProps) {
  const isAsking = useIsAsking();
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

  return (
    <div className={styles.menu}>
      <p className={styles.what}>
        {count === undefined
          ? `Exactly the ${list} that match now.`
          : `Exactly the ${countOf(count, nounOf[list])} that ${count === 1 ? 'matches' : 'match'} now.`}
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
          <span className={styles.name}>{name}</span>
          <span className={styles.use}>{use}</span>
        </button>
      ))}
    </div>
  );
}
